/// Scripts that run in every document of a browser whose user is recorded.
extension PageScript {
    /// Logs each submitted form and each pressed button, with the filled-in values.
    ///
    /// Text typed into a password field never leaves the page, even if the page shows it in the clear.
    static let watch = """
        (() => {
          const tell = console.debug.bind(console);
          const encoder = new TextEncoder();
          const hex = text => Array.from(encoder.encode(text), octet => octet.toString(16).padStart(2, '0')).join('');
          const secrets = new WeakSet();
          const isSecret = e => e.type === 'password' || /password/.test(e.getAttribute('autocomplete') || '');
          const kinds = 'input, select, textarea, button';
          const labelOf = e => ((e.labels && e.labels[0] && e.labels[0].innerText) || e.getAttribute('aria-label')
            || e.getAttribute('placeholder') || '').replace(/\\s+/g, ' ').trim().toLowerCase();
          const isAlone = (e, selector) => {
            const all = e.getRootNode().querySelectorAll(selector);
            return all.length === 1 && all[0] === e;
          };
          const referenceOf = e => {
            const name = e.getAttribute('name');
            if (name) return /^(name|id|label|css)=/.test(name) ? 'name=' + name : name;
            if (e.id) return 'id=' + e.id;
            const label = labelOf(e);
            const others = Array.from(e.getRootNode().querySelectorAll(kinds)).filter(o => labelOf(o) === label);
            if (label && label.length <= 100 && others.length === 1) return 'label=' + label;
            const tag = e.tagName.toLowerCase();
            for (const attribute of ['autocomplete', 'type', 'inputmode', 'data-testid', 'class']) {
              const value = e.getAttribute(attribute) || '';
              if (!/^[A-Za-z0-9_ -]{1,100}$/.test(value)) continue;
              const selector = `${tag}[${attribute}="${value}"]`;
              if (isAlone(e, selector)) return 'css=' + selector;
            }
            return isAlone(e, tag) ? 'css=' + tag : '';
          };
          for (const kind of ['focus', 'input'])
            addEventListener(kind, event => {
              if (event.target.tagName === 'INPUT' && isSecret(event.target)) secrets.add(event.target);
            }, true);
          const note = (button, scope) => {
            const fields = [];
            for (const e of scope.querySelectorAll('input, select, textarea')) {
              if (['hidden', 'submit', 'button', 'image', 'reset', 'file'].includes(e.type) || !referenceOf(e)) continue;
              const isBox = ['checkbox', 'radio'].includes(e.type);
              const secret = secrets.has(e) || isSecret(e);
              const isChanged = isBox ? e.checked !== e.defaultChecked
                : e.tagName === 'SELECT' ? Array.from(e.options).some(o => o.selected !== o.defaultSelected)
                : e.value !== e.defaultValue;
              fields.push({
                name: referenceOf(e), secret, box: isBox, checked: isBox && e.checked, changed: isChanged,
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

    /// The prefix of a message of ``watch`` in the log; its end is a full stop.
    static let mark = "oidc-preflight-record:"
}
