/// What is run in every document of a browser whose person is watched.
extension PageScript {
    /// Tells the log of each form that is sent and each button that is pressed, with what was filled in.
    ///
    /// What is typed into a field for a password never leaves the page, also where the page shows it in the clear.
    static let watch = """
        (() => {
          const tell = console.debug.bind(console);
          const encoder = new TextEncoder();
          const hex = text => Array.from(encoder.encode(text), octet => octet.toString(16).padStart(2, '0')).join('');
          const secrets = new WeakSet();
          const isSecret = e => e.type === 'password' || /password/.test(e.getAttribute('autocomplete') || '');
          const nameOf = e => e.getAttribute('name') || e.id || '';
          for (const kind of ['focus', 'input'])
            addEventListener(kind, event => {
              if (event.target.tagName === 'INPUT' && isSecret(event.target)) secrets.add(event.target);
            }, true);
          const note = (button, scope) => {
            const fields = [];
            for (const e of scope.querySelectorAll('input, select, textarea')) {
              if (['hidden', 'submit', 'button', 'image', 'reset', 'file'].includes(e.type) || !nameOf(e)) continue;
              const isBox = ['checkbox', 'radio'].includes(e.type);
              const secret = secrets.has(e) || isSecret(e);
              const isChanged = isBox ? e.checked !== e.defaultChecked
                : e.tagName === 'SELECT' ? Array.from(e.options).some(o => o.selected !== o.defaultSelected)
                : e.value !== e.defaultValue;
              fields.push({
                name: nameOf(e), secret, box: isBox, checked: isBox && e.checked, changed: isChanged,
                code: /one-time-code/.test(e.getAttribute('autocomplete') || ''), value: secret ? '' : e.value
              });
            }
            const pressed = button ? { name: button.getAttribute('name') || '', value: button.value || '',
              words: (button.innerText || button.value || '').trim().slice(0, 100) } : null;
            tell('oidc-preflight-record:' + hex(JSON.stringify({ path: location.pathname, fields, button: pressed })) + '.');
          };
          addEventListener('submit', event => note(event.submitter, event.target), true);
          addEventListener('click', event => {
            const button = event.target.closest
              && event.target.closest('button, input[type=submit], input[type=image], input[type=button], [role=button]');
            if (button && !(button.form && ['submit', 'image'].includes(button.type))) note(button, button.form || document);
          }, true);
        })();
        """

    /// What stands before a message of ``watch`` in the log; its end is a full stop.
    static let mark = "oidc-preflight-record:"
}
