/// The style of the page: the colors of both themes, one column that fits a phone, and print.
///
/// Colors with names ending in `-paper` are the backgrounds of those without; `Tests/ReportingTests` computes the contrast of
/// each pair. Every meaning of a color is also given in words.
enum HTMLStyle {
    /// The hash that the page's policy allows this style by; a test computes it.
    static let hash = "sha256-f9N4PwuBgAmw624Vz+8Mo6Mi4tUHTbs92LsEFrqRqeQ="

    static let text: StaticString = """

        :root {
          color-scheme: light dark;
          --paper: #ffffff; --raised: #f4f5f7; --line: #c5cad2; --ink: #1b1f24; --quiet: #525b66; --link: #0b57b0;
          --good: #0f5e26; --good-paper: #e4f4e9; --bad: #9f0d24; --bad-paper: #fdeaec;
          --warn: #704400; --warn-paper: #fff3d6; --idle: #48515c; --idle-paper: #eaecef;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #0f1318; --raised: #181e26; --line: #3b4552; --ink: #e6eaef; --quiet: #a8b2bd; --link: #7fb9ff;
            --good: #74dd8f; --good-paper: #11301c; --bad: #ff9d98; --bad-paper: #3d171a;
            --warn: #f2c462; --warn-paper: #35290d; --idle: #b3bcc6; --idle-paper: #252c35;
          }
        }
        * { box-sizing: border-box; }
        html { -webkit-text-size-adjust: 100%; }
        body {
          margin: 0; background: var(--paper); color: var(--ink);
          font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", "Helvetica Neue", "Noto Sans", "DejaVu Sans", sans-serif;
          overflow-wrap: anywhere;
        }
        .verdict > div, main, footer { max-width: 62rem; margin: 0 auto; padding: 0 1.25rem; }
        code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .875em; }
        code, pre, dd { unicode-bidi: isolate; }
        pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
        a { color: var(--link); text-underline-offset: .15em; }
        h1 { margin: .1rem 0 .35rem; font-size: 1.55rem; line-height: 1.25; }
        h2 { margin: 2.4rem 0 .7rem; font-size: 1.15rem; line-height: 1.3; }
        h3 { margin: 1.5rem 0 .5rem; font-size: 1rem; }
        p { margin: .35rem 0; }
        ul, ol { margin: 0; padding: 0; list-style: none; }
        :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
        .skip { position: absolute; left: -99rem; }
        .skip:focus { left: 1rem; top: .5rem; padding: .4rem .8rem; background: var(--paper); z-index: 1; }
        .quiet { color: var(--quiet); }
        .small { font-size: .875rem; }
        .good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); } .idle { color: var(--idle); }
        .tag {
          display: inline-block; padding: .05rem .5rem; border-radius: 1rem; font-size: .8125rem; font-weight: 600;
          white-space: nowrap; border: 1px solid currentColor;
        }
        .tag.good { background: var(--good-paper); } .tag.bad { background: var(--bad-paper); }
        .tag.warn { background: var(--warn-paper); } .tag.idle { background: var(--idle-paper); }

        .verdict { padding: 1.1rem 0 1.2rem; border-bottom: 4px solid currentColor; }
        .verdict.good { background: var(--good-paper); } .verdict.bad { background: var(--bad-paper); }
        .verdict.warn { background: var(--warn-paper); }
        .verdict p, .verdict .issuer { color: var(--ink); }
        .verdict .issuer { font-weight: 500; }
        .verdict h1 { font-size: 1.9rem; }

        .answers { display: grid; grid-template-columns: repeat(3, 1fr); gap: .8rem; margin: 1.1rem 0; }
        .answers li { padding: .7rem .9rem .8rem; border: 1px solid var(--line); border-top: 4px solid currentColor; border-radius: 4px; }
        .answers p { color: var(--ink); }
        .answers .question { font-size: .875rem; color: var(--quiet); margin: 0; }
        .answers .word { font-size: 1.25rem; font-weight: 700; margin: 0; color: inherit; }
        .box { margin: 1rem 0; padding: .8rem 1rem; background: var(--raised); border-left: 4px solid var(--line); border-radius: 4px; }
        .box.first { border-color: var(--link); }
        .box.cause { border-color: var(--warn); }
        .box h2, .box h3 { margin: 0 0 .3rem; font-size: 1rem; }

        .progress { display: grid; grid-template-columns: repeat(auto-fit, minmax(6.4rem, 1fr)); gap: 0; }
        .progress li { position: relative; padding: 0 .3rem; text-align: center; font-size: .875rem; line-height: 1.35;
          overflow-wrap: normal; }
        .progress li::after {
          content: ""; position: absolute; top: .9rem; left: 50%; width: 100%; border-top: 3px solid var(--line); z-index: -1;
        }
        .progress li:last-child::after { display: none; }
        .progress li.good::after { border-color: var(--good); }
        .progress li.idle::after { border-top-style: dashed; }
        .progress svg { display: block; width: 1.9rem; height: 1.9rem; margin: 0 auto .3rem; border-radius: 50%; background: var(--paper); }
        .progress .name { display: block; color: var(--ink); }
        .progress .state { font-weight: 700; }
        .progress .bad .name { font-weight: 700; }
        .progress .problems { display: block; color: var(--bad); }

        table { width: 100%; border-collapse: collapse; }
        th, td { padding: .4rem .6rem; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; }
        thead th { font-size: .875rem; color: var(--quiet); font-weight: 600; }
        tbody th { font-weight: 600; }

        .filters { display: flex; flex-wrap: wrap; gap: .6rem .9rem; align-items: end; margin: .8rem 0; padding: .7rem .9rem;
          background: var(--raised); border: 1px solid var(--line); border-radius: 4px; }
        .filters[hidden] { display: none; }
        .filters label { font-size: .875rem; color: var(--quiet); display: block; }
        select, input, button {
          font: inherit; font-size: .9375rem; color: var(--ink); background: var(--paper); border: 1px solid var(--quiet);
          border-radius: 4px; padding: .3rem .5rem; max-width: 100%; min-height: 2.2rem;
        }
        button { cursor: pointer; }
        .filters [role="status"] { flex-basis: 100%; margin: 0; font-size: .9375rem; }

        details > summary { cursor: pointer; }
        .check { margin: .5rem 0; border: 1px solid var(--line); border-left: 4px solid currentColor; border-radius: 4px; }
        .check > details > * { color: var(--ink); }
        .check > details > summary { padding: .55rem .8rem; }
        .check > details[open] > summary { border-bottom: 1px solid var(--line); background: var(--raised); }
        .check .id { font-weight: 600; }
        .check .sentence { display: block; margin: .1rem 0 0 1.05rem; }
        .check .body { padding: .5rem .9rem .9rem; }
        .check[hidden], .group[hidden] { display: none; }
        .finding { margin: .6rem 0 .9rem; }
        .finding p { font-weight: 600; }
        dl { display: grid; grid-template-columns: minmax(5.4rem, max-content) 1fr; gap: .15rem .8rem; margin: .3rem 0; }
        dt { color: var(--quiet); }
        dd { margin: 0; }
        dd.fix { font-weight: 600; }
        .pages { margin: .3rem 0; padding-left: 1.6rem; }
        .pages li { padding: .15rem 0; }
        .pages img { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 4px; }
        figure { margin: .6rem 0; }
        figcaption { font-size: .875rem; color: var(--quiet); margin-bottom: .2rem; }
        figure pre, .fields pre { padding: .6rem .75rem; background: var(--raised); border: 1px solid var(--line); border-radius: 4px; }
        .exchange, .fields, .fold { margin: .5rem 0; }
        .exchange > div { padding-left: 1.05rem; }
        .list li { padding: .12rem 0; }
        footer { padding-top: 2.5rem; padding-bottom: 2.5rem; }

        @media screen and (max-width: 46rem) {
          .verdict > div, main, footer { padding-left: .8rem; padding-right: .8rem; }
          .verdict { padding: .9rem 0 1rem; }
          .verdict h1 { font-size: 1.5rem; }
          .answers { grid-template-columns: 1fr; gap: .5rem; }
          .progress { grid-template-columns: 1fr; }
          .progress li { display: grid; grid-template-columns: 1.9rem 1fr; column-gap: .7rem; text-align: left; padding: 0 0 .8rem; }
          .progress li::after { top: 0; left: .9rem; width: 0; height: 100%; border-top: 0; border-left: 3px solid var(--line); }
          .progress li.good::after { border-color: var(--good); }
          .progress li.idle::after { border-left-style: dashed; }
          .progress svg { margin: 0; grid-row: 1 / span 3; }
          .filters > div { flex: 1 1 8rem; }
          .filters select, .filters input { width: 100%; }
          dl { grid-template-columns: 1fr; gap: 0; }
          dd { margin-bottom: .35rem; }
          .matrix thead { position: absolute; left: -99rem; }
          .matrix tr { display: block; padding: .4rem 0; border-bottom: 1px solid var(--line); }
          .matrix th, .matrix td { display: block; border: 0; padding: .1rem 0; }
          .matrix td::before { content: attr(data-label) ": "; color: var(--quiet); }
        }
        @media print {
          :root {
            --paper: #ffffff; --raised: #f4f5f7; --line: #c5cad2; --ink: #000000; --quiet: #444b54; --link: #0b57b0;
            --good: #0f5e26; --good-paper: #ffffff; --bad: #9f0d24; --bad-paper: #ffffff;
            --warn: #704400; --warn-paper: #ffffff; --idle: #48515c; --idle-paper: #ffffff;
          }
          body { font-size: 9.5pt; }
          .verdict > div, main, footer { max-width: none; padding: 0; }
          .verdict { padding: 0 0 .6rem; }
          .progress { grid-template-columns: repeat(8, 1fr); }
          .progress li { font-size: .7rem; padding: 0 .1rem; }
          h2 { margin-top: 1.4rem; }
          .filters, .skip, button { display: none; }
          .check details::details-content, .cause details::details-content { content-visibility: visible; display: block; block-size: auto; }
          .check > details > summary, .answers li, .progress li, .finding { break-inside: avoid; }
          .check > details > summary, h2, h3, figcaption { break-after: avoid; }
          a { color: inherit; }
          .body a[href^="https"]::after { content: " (" attr(href) ")"; font-size: .85em; }
        }

        """
}
