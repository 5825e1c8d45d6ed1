// SPDX-License-Identifier: Apache-2.0
// The dialog for a bearer token.
import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { setToken, token } from '../data/api';

const isOpen = signal(false);

export function openToken(): void {
  isOpen.value = true;
}

export function TokenDialog(): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLTextAreaElement>(null);
  const shown = isOpen.value;
  useEffect(() => {
    if (shown && dialog.current?.open === false) dialog.current.showModal();
    if (!shown) dialog.current?.close();
  }, [shown]);
  const close = (): void => {
    if (input.current !== null) input.current.value = '';
    isOpen.value = false;
  };
  return (
    <dialog class="dialog" ref={dialog} aria-labelledby="token-title" onClose={close}>
      <form
        method="dialog"
        onSubmit={() => {
          setToken(input.current?.value ?? '');
          close();
        }}
      >
        <h2 id="token-title">Bearer token</h2>
        <p>
          The token is sent with each request to this server. It is kept in this tab only, until you close it. Get one with{' '}
          <code>kubectl create token NAME</code>.
        </p>
        <label for="token-text">Token</label>
        <textarea id="token-text" ref={input} rows={4} spellcheck={false} autocomplete="off" />
        {location.protocol === 'http:' && !/^(localhost|127\.|\[::1\])/.test(location.host) && (
          <p class="warning">This connection is not encrypted: others on the way can read the token.</p>
        )}
        <div class="dialog-buttons">
          {token.value !== '' && (
            <button
              type="button"
              class="button"
              onClick={() => {
                setToken('');
                close();
              }}
            >
              Forget the token
            </button>
          )}
          <button type="button" class="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" class="button primary">
            Use it
          </button>
        </div>
      </form>
    </dialog>
  );
}
