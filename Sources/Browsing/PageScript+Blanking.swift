/// Scripts that run in a page before and after a screenshot.
extension PageScript {
    /// Hides whatever is typed on the page, and the frames that cannot be looked into; keeps what was changed, for
    /// ``restore``: the driver takes no element of a frame out of it and in again.
    ///
    /// Every field is emptied for the eye and keeps its box: one that shows a password in the clear looks like any other. Values are
    /// left as they are, for the page's own script; styles are set through the object model, which no policy of the page forbids.
    static let blank = """
        function blank() {
          const changed = window[Symbol.for('oidc-preflight')] = [];
          const other = ['button', 'submit', 'reset', 'image', 'checkbox', 'radio', 'range', 'color', 'file', 'hidden'];
          const hide = (element, properties) => {
            changed.push([element, element.getAttribute('style')]);
            for (const [name, value] of properties) element.style.setProperty(name, value, 'important');
          };
          const still = [['transition', 'none'], ['animation', 'none']];
          const unseen = [...still, ['visibility', 'hidden']];
          const emptied = [...still, ['color', 'transparent'], ['-webkit-text-fill-color', 'transparent'],
            ['text-shadow', 'none'], ['caret-color', 'transparent'], ['text-decoration', 'none'], ['background-image', 'none']];
          const walk = root => {
            for (const element of root.querySelectorAll('*')) {
              if (element.shadowRoot) walk(element.shadowRoot);
              const name = element.tagName;
              if (['IFRAME', 'FRAME', 'OBJECT', 'EMBED'].includes(name)) {
                let inner = null;
                try { inner = element.contentDocument; } catch (error) { inner = null; }
                if (inner) walk(inner); else hide(element, unseen);
              } else if (name === 'TEXTAREA' || (name === 'INPUT' && !other.includes(element.type))) {
                hide(element, emptied);
              } else if (element.isContentEditable) {
                hide(element, unseen);
              }
            }
          };
          walk(document);
          return true;
        }
        return blank();
        """

    /// Gives the elements back the looks that they had.
    static let restore = """
        for (const [element, style] of window[Symbol.for('oidc-preflight')] || []) {
          if (style === null) element.removeAttribute('style'); else element.style.cssText = style;
        }
        delete window[Symbol.for('oidc-preflight')];
        """
}
