#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts transcripts and pictures into docs/reasons.

  hack/reasons.py write FOLDER   those that test/e2e/obstacles.bats left in FOLDER
  hack/reasons.py check          each reason has a page, and the three places of a page agree
"""

import os
import re
import shutil
import sys

REPO = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
PAGES = os.path.join(REPO, "docs", "reasons")
BEGIN, END = "<!-- written by hack/reasons.sh: begin -->\n", "<!-- end -->\n"
PICTURE_MAX, PICTURES_MAX = 40 << 10, 600 << 10
# Nothing is scheduled for these, or nothing was tried, so there is no sentence of the scheduler in the condition.
NOT_IN_CONDITION = ("Gated", "Rejected", "NotYetAttempted")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def tokens():
    text = read(os.path.join(REPO, "core", "si.h"))
    table = text[text.index("tokens[YK_REASON_COUNT] = {") :]
    return re.findall(r'"(\w+)"', table[: table.index("};")])


def fenced(text):
    return "```\n" + text.strip("\n") + "\n```\n"


def look(folder, token):
    def part(suffix):
        return read(os.path.join(folder, token + suffix))

    pod = re.search(r"^Pod: +\S+/(\S+)$", part(".why"), re.M)
    name = pod.group(1) if pod else "POD"
    text = f"The condition of the pod, and the Events that `kubectl describe pod {name}` shows:\n\n" + fenced(part(".describe"))
    text += f"\n`kubectl yunikorn why {name}`:\n\n" + fenced(part(".why"))
    if os.path.exists(os.path.join(folder, token + ".png")):
        shutil.copyfile(os.path.join(folder, token + ".png"), os.path.join(PAGES, token + ".png"))
    if os.path.exists(os.path.join(PAGES, token + ".png")):
        text += f"\nThe page of its application:\n\n![{token} on the page]({token}.png)\n"
    elif token == "Gated":
        text += "\nThe page does not show such pods.\n"
    return text


def write(folder):
    for token in tokens():
        path = os.path.join(PAGES, token + ".md")
        if not os.path.exists(os.path.join(folder, token + ".why")):
            continue
        page = read(path)
        begin, end = page.index(BEGIN) + len(BEGIN), page.index(END)
        with open(path, "w", encoding="utf-8") as file:
            file.write(page[:begin] + "\n" + look(folder, token) + "\n" + page[end:])


def wrong_in(token):
    """What is wrong with the page."""
    path = os.path.join(PAGES, token + ".md")
    if not os.path.exists(path):
        yield f"docs/reasons/{token}.md is missing"
        return
    page = read(path)
    if BEGIN not in page:
        return
    message = re.search(r"^Message: +(.*)$", page, re.M)
    if f"Reason: " not in page or not re.search(rf"^Reason: +{token}$", page, re.M) or not message:
        yield f"docs/reasons/{token}.md: kubectl yunikorn why does not give the reason {token}"
    elif token not in NOT_IN_CONDITION and page.count(f" {token}: {message.group(1)}") < 2:
        yield f"docs/reasons/{token}.md: condition, Event and kubectl yunikorn why differ"
    if token != "Gated" and not os.path.exists(os.path.join(PAGES, token + ".png")):
        yield f"docs/reasons/{token}.png is missing"


def check():
    wrong = [line for token in tokens() for line in wrong_in(token)]
    index = read(os.path.join(REPO, "docs", "reasons.md"))
    wrong += [f"docs/reasons.md does not lead to {token}" for token in tokens() if f"(reasons/{token}.md)" not in index]
    sizes = {name: os.path.getsize(os.path.join(PAGES, name)) for name in os.listdir(PAGES) if name.endswith(".png")}
    wrong += [f"docs/reasons/{name} is larger than 40 KiB" for name, size in sizes.items() if size > PICTURE_MAX]
    if sum(sizes.values()) > PICTURES_MAX:
        wrong.append("the pictures in docs/reasons are larger than 600 KiB together")
    if sum(1 for token in tokens() if os.path.exists(os.path.join(PAGES, token + ".md")) and BEGIN in read(os.path.join(PAGES, token + ".md"))) < 10:
        wrong.append("fewer than ten reasons have a transcript")
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "write":
        write(sys.argv[2])
    elif sys.argv[1:] == ["check"]:
        sys.exit(check())
    else:
        sys.exit(__doc__)
