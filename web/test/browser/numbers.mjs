// SPDX-License-Identifier: Apache-2.0
// Every number leads to its list. A number on a page is part of a link or of a control, or it is of one of these kinds, which the
// attribute data-number says (NumberKind of src/ui/parts.tsx):
//
// - listed: it counts the list that is shown with it
// - one: it belongs to one pod, node or event
// - limit: what may be used at most, is guaranteed, or is left of that; capacity and what is free of it
// - past: of what is gone, or what might be: there is no list of it
// - place: a position, an age, a share, a version, or the number of an entry
// - said: part of a name, or of a text that is shown as it came
//
// Shares in per cent, times in <time>, and code need no attribute.
const kinds = ['listed', 'one', 'limit', 'past', 'place', 'said'];

/** What is wrong with the numbers that `page` shows now. */
export const wrongNumbers = (page) =>
  page.evaluate((known) => {
    const wrong = [...document.querySelectorAll('[data-number]')].filter((e) => !known.includes(e.dataset.number)).map((e) => `there is no kind of number '${e.dataset.number}'`);
    const number = /(?<![\w.:/@-])\d+([.,]\d+)*(?![\w:/@-])(?!\s*%)/;
    const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(); text !== null; text = walker.nextNode()) {
      const parent = text.parentElement;
      if (!number.test(text.data) || parent.closest('a[href], button, label, select, textarea, time, code, [data-number]') !== null || !parent.checkVisibility()) continue;
      wrong.push(`'${text.data.trim().slice(0, 40)}' leads to no list: ${parent.outerHTML.slice(0, 120)}`);
    }
    return wrong;
  }, kinds);

/** Where the numbers lead that are not 0. */
export const leadsOf = (page) =>
  page.evaluate(() => {
    const links = [...document.querySelectorAll('main a[href^="#/"]')].filter((link) => /(?<![\w.:/@-])[1-9]/.test(link.innerText) && link.checkVisibility());
    return links.map((link) => ({ text: link.innerText.replace(/\s+/g, ' ').trim(), hash: link.getAttribute('href') }));
  });

/** Why `page`, to which a number that is not 0 led, has no list for it; undefined: it has. */
export async function missingList(page) {
  try {
    // A list that is empty says so; one in a table has rows.
    await page.waitForFunction(
      () => document.querySelector('main .skeleton') === null && document.querySelector('main .empty') === null && document.querySelector('main :is(.tbody .tr, tbody tr, .list li)') !== null,
      undefined,
      { timeout: 4000 },
    );
    return undefined;
  } catch {
    return (await page.innerText('main')).replace(/\s+/g, ' ').slice(0, 160);
  }
}
