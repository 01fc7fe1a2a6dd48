/// Scripts that run in a page before keys and pointer are used, if the browser's protocol makes no checks itself.
extension PageScript {
    /// Empties a field and puts the focus there; returns whether it takes keys now.
    static let clear = """
        const field = arguments[0];
        field.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
        field.focus();
        if (field.getRootNode().activeElement !== field || field.readOnly || field.disabled) return false;
        if (field.value !== '') {
          const kind = field.tagName === 'TEXTAREA' ? HTMLTextAreaElement : HTMLInputElement;
          Object.getOwnPropertyDescriptor(kind.prototype, 'value').set.call(field, '');
          field.dispatchEvent(new Event('input', { bubbles: true }));
          field.dispatchEvent(new Event('change', { bubbles: true }));
        }
        return field.getRootNode().activeElement === field;
        """

    /// Scrolls an element into view; returns whether its middle is its own, with nothing over it.
    static let uncover = """
        const element = arguments[0];
        element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
        const box = element.getClientRects()[0];
        if (!box || element.disabled) return false;
        const x = (Math.max(0, box.left) + Math.min(innerWidth, box.right)) / 2;
        const y = (Math.max(0, box.top) + Math.min(innerHeight, box.bottom)) / 2;
        const seen = element.getRootNode().elementFromPoint(Math.floor(x), Math.floor(y));
        return !!seen && (seen === element || element.contains(seen));
        """
}
