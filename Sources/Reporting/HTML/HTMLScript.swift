/// The script of the page: filters, copying a command, unfolding the target of a link, and printing.
///
/// The page is complete without it. The script only shows and hides parts of the page, and writes no markup.
enum HTMLScript {
    /// The hash that the page's policy allows this script by; a test computes it.
    static let hash = "sha256-egygqS1ESGooKAPj/wWXsEJTF81iO2Znq/IOSSjeivE="

    static let text: StaticString = #"""

        'use strict';
        (() => {
          const all = (selector, root) => Array.from((root || document).querySelectorAll(selector));
          const filters = document.getElementById('filters');
          const checks = all('.check');
          if (filters && checks.length > 0) {
            const controls = all('select, input', filters);
            const status = filters.querySelector('[role="status"]');
            const matches = (check) => controls.every((control) => {
              const wanted = control.value.trim().toLowerCase();
              if (wanted === '') return true;
              if (control.type === 'search') return check.textContent.toLowerCase().includes(wanted);
              return check.dataset[control.name].split(' ').includes(control.value);
            });
            const update = () => {
              let count = 0;
              for (const check of checks) {
                check.hidden = !matches(check);
                if (!check.hidden) count += 1;
              }
              for (const group of all('.group')) group.hidden = !all('.check', group).some((check) => !check.hidden);
              status.textContent = count === checks.length
                ? 'All ' + count + ' are shown.' : count + ' of ' + checks.length + ' are shown.';
            };
            filters.hidden = false;
            filters.addEventListener('input', update);
            document.getElementById('reset').addEventListener('click', () => {
              for (const control of controls) control.value = '';
              update();
            });
            const unfold = document.getElementById('unfold');
            unfold.addEventListener('click', () => {
              const open = unfold.getAttribute('aria-pressed') !== 'true';
              for (const check of checks) check.firstElementChild.open = open;
              unfold.setAttribute('aria-pressed', String(open));
              unfold.textContent = open ? 'Fold all' : 'Unfold all';
            });
            update();
          }
          const reveal = () => {
            const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
            if (!target) return;
            for (let place = target; place; place = place.parentElement) {
              if (place.hidden) place.hidden = false;
              if (place.tagName === 'DETAILS') place.open = true;
            }
            const inner = target.querySelector(':scope > details');
            if (inner) inner.open = true;
            target.scrollIntoView();
          };
          addEventListener('hashchange', reveal);
          reveal();
          for (const command of all('.command')) {
            const button = document.createElement('button');
            button.type = 'button';
            button.textContent = 'Copy the command';
            button.addEventListener('click', async () => {
              const text = command.querySelector('pre').textContent;
              try {
                await navigator.clipboard.writeText(text);
                button.textContent = 'Copied';
              } catch (error) {
                getSelection().selectAllChildren(command.querySelector('pre'));
                button.textContent = 'Selected: copy it with the keyboard';
              }
            });
            command.append(button);
          }
          let opened = [];
          addEventListener('beforeprint', () => {
            opened = all('.check details:not([open]), .cause details:not([open])');
            for (const fold of opened) fold.open = true;
          });
          addEventListener('afterprint', () => {
            for (const fold of opened) fold.open = false;
            opened = [];
          });
        })();

        """#
}
