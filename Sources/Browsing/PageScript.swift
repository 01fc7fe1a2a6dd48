/// Scripts that run in a page to see it as a user does.
enum PageScript {
    /// Returns the page as HTML with its visible content, its address, whether it is complete, and its controls as elements.
    ///
    /// Each control is marked by its place among the elements. One without a name gets one, to identify it; without any form on
    /// the page the controls are put into one; a button that only a script listens to submits its form. The values of password
    /// fields are left out.
    static let look = """
        function look(elements, limit) {
          const skipped = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'SVG', 'IFRAME', 'LINK', 'OBJECT']);
          const out = document.implementation.createHTMLDocument('');
          const isControl = e => ['INPUT', 'SELECT', 'TEXTAREA', 'BUTTON'].includes(e.tagName)
            || e.getAttribute('role') === 'button';
          const isShown = e => {
            if (e.type === 'hidden') return true;
            const box = e.getBoundingClientRect();
            const seen = x => x.checkVisibility({ opacityProperty: true, visibilityProperty: true });
            if (['checkbox', 'radio'].includes(e.type) && e.labels)
              for (const label of e.labels) if (seen(label)) return true;
            return seen(e) && box.width > 0 && box.height > 0;
          };
          const sends = form => Array.from(form.elements).some(e => ['submit', 'image'].includes(e.type) && isShown(e));
          let count = 0;
          let hasControls = false;
          const isFormless = !document.forms.length;
          const control = e => {
            if (!isShown(e)) return null;
            hasControls = true;
            const isRole = !['INPUT', 'SELECT', 'TEXTAREA', 'BUTTON'].includes(e.tagName);
            const copy = isRole ? out.createElement('button') : e.cloneNode(true);
            for (const script of copy.querySelectorAll('script, style')) script.remove();
            if (isRole) { copy.textContent = e.innerText; copy.setAttribute('type', 'button'); }
            const place = elements.push(e) - 1;
            copy.setAttribute('data-preflight-element', place);
            const form = isRole ? e.closest('form') : e.form;
            if (!copy.getAttribute('name')) {
              const isButton = isRole || e.tagName === 'BUTTON' || ['submit', 'button', 'image', 'reset'].includes(e.type);
              if (!isButton) copy.setAttribute('name', e.id || 'field-' + place);
            }
            if (copy.getAttribute('type') === 'button' || e.type === 'button')
              if (form ? !sends(form) : isFormless) copy.setAttribute('type', 'submit');
            if (e.disabled || e.getAttribute('aria-disabled') === 'true') copy.setAttribute('disabled', '');
            if (e.tagName === 'INPUT') {
              if (e.type === 'password') copy.removeAttribute('value'); else copy.setAttribute('value', e.value);
              if (e.checked) copy.setAttribute('checked', ''); else copy.removeAttribute('checked');
            }
            if (e.tagName === 'SELECT')
              Array.from(e.options).forEach((o, i) => {
                const option = copy.options[i];
                if (o.selected) option.setAttribute('selected', ''); else option.removeAttribute('selected');
              });
            return copy;
          };
          const copy = node => {
            if (node.nodeType === 3) {
              const parent = node.parentElement;
              if (parent && getComputedStyle(parent).visibility !== 'visible') return null;
              return out.createTextNode(node.data);
            }
            if (node.nodeType !== 1 || skipped.has(node.tagName.toUpperCase()) || ++count > 50000) return null;
            if (isControl(node)) return control(node);
            const isHead = document.head && document.head.contains(node);
            if (!isHead && getComputedStyle(node).display === 'none') return null;
            const made = node.cloneNode(false);
            if (node.tagName === 'A' && node.hasAttribute('href') && isShown(node))
              made.setAttribute('data-preflight-element', elements.push(node) - 1);
            for (const child of (node.shadowRoot || node).childNodes) {
              const taken = copy(child);
              if (taken) made.appendChild(taken);
            }
            return made;
          };
          const root = copy(document.documentElement) || out.createElement('html');
          const body = root.querySelector('body');
          if (isFormless && body && hasControls) {
            const form = out.createElement('form');
            form.setAttribute('method', 'post');
            form.append(...body.childNodes);
            body.append(form);
          }
          return [root.outerHTML.slice(0, limit).replace(/\\u0000/g, ''), location.href, document.readyState, elements];
        }
        return look(arguments[0], arguments[1]);
        """

    /// Writes into a field as a user's typing would, bypassing a setter of the page.
    static let write = """
        const field = arguments[0];
        const kind = field.tagName === 'TEXTAREA' ? HTMLTextAreaElement : HTMLInputElement;
        field.focus();
        Object.getOwnPropertyDescriptor(kind.prototype, 'value').set.call(field, arguments[1]);
        field.dispatchEvent(new Event('input', { bubbles: true }));
        field.dispatchEvent(new Event('change', { bubbles: true }));
        """

    /// Writes into a field that does not contain what was typed into it.
    ///
    /// A page may have formatted the text, or passed it on to other fields: that stays.
    static let makeSure = """
        const held = arguments[0].value, wanted = arguments[1];
        const bare = text => text.replace(/[^\\p{L}\\p{N}]/gu, '').toLowerCase();
        const isFormatted = bare(held) === bare(wanted) && bare(held) !== '';
        const isPassedOn = held.length === 1 && wanted.startsWith(held);
        if (held === wanted || arguments[0].type !== 'password' && (isFormatted || isPassedOn)) return;

        """ + write

    /// Chooses an option by its value.
    static let choose = """
        const select = arguments[0];
        for (const option of select.options) if (option.value === arguments[1]) option.selected = true;
        select.dispatchEvent(new Event('input', { bubbles: true }));
        select.dispatchEvent(new Event('change', { bubbles: true }));
        """

    /// Submits the form of a control, as its own script would.
    static let send = """
        const form = arguments[0].form || arguments[0].closest('form');
        if (form) HTMLFormElement.prototype.submit.call(form);
        """
}
