/// The look of all pages.
///
/// Every colour of text has a contrast of at least 4.5 to 1 with its background (WCAG 2.2, 1.4.3), which
/// `make pages-check` measures.
enum HTMLStyle {
    /// The style sheet. On a narrow screen, each record of a table is a block of lines. Print is always dark on white.
    static let sheet: StaticString = """

        :root {
          color-scheme: light;
          --page: #f5f5f2; --paper: #ffffff; --ink: #1b1f23; --quiet: #575f67; --line: #d9dbd6; --link: #0b55a5;
          --good: #12603a; --good-back: #e5f4ea; --bad: #9f1620; --bad-back: #fdebea; --unsure: #744700; --unsure-back: #fdf2dc;
        }
        @media screen and (prefers-color-scheme: dark) {
          :root {
            color-scheme: dark;
            --page: #14171a; --paper: #1c2024; --ink: #e7e9eb; --quiet: #a6aeb6; --line: #353b41; --link: #8dbcf7;
            --good: #84dba6; --good-back: #17301f; --bad: #ffa39d; --bad-back: #3b1b1c; --unsure: #f2c572; --unsure-back: #342910;
          }
        }
        * { box-sizing: border-box; }
        html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
        body {
          margin: 0; background: var(--page); color: var(--ink);
          font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
          overflow-wrap: anywhere;
        }
        main { max-width: 72rem; margin: 0 auto; padding: 1.5rem 1.25rem; }
        h1, h2, h3, h4 { margin: 0; line-height: 1.25; font-weight: 600; }
        h1 { font-size: 1.6rem; }
        h2 { font-size: 1.2rem; }
        h3, h4 { font-size: 1rem; }
        p { margin: .4rem 0; }
        p:last-child { margin-bottom: 0; }
        ul { margin: .4rem 0; padding-left: 1.25rem; }
        a { color: var(--link); }
        code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .875em; }
        pre { margin: .5rem 0 0; white-space: pre-wrap; }
        summary { cursor: pointer; font-weight: 600; }
        .faint { --tone: var(--quiet); --back: var(--paper); }
        .good { --tone: var(--good); --back: var(--good-back); }
        .bad { --tone: var(--bad); --back: var(--bad-back); }
        .unsure { --tone: var(--unsure); --back: var(--unsure-back); }
        .plain { --tone: var(--ink); --back: var(--paper); }
        header {
          display: flex; gap: .9rem; align-items: flex-start; padding: 1rem 1.25rem; margin: 0 0 1.25rem;
          background: var(--back); border: 1px solid var(--line); border-left: .4rem solid var(--tone); border-radius: .4rem;
        }
        header h1, header h2 { color: var(--tone); }
        header p { margin: .25rem 0 0; color: var(--ink); }
        .sign { flex: none; font-weight: 700; color: var(--tone); }
        header .sign { font-size: 1.6rem; line-height: 1.25; }
        article header { margin: -1.25rem -1.25rem 1.25rem; border-width: 0 0 1px .4rem; border-radius: .4rem .4rem 0 0; }
        article header .sign { font-size: 1.2rem; }
        article {
          margin: 0 0 1.25rem; padding: 1.25rem; background: var(--paper); border: 1px solid var(--line); border-radius: .4rem;
        }
        article > section, article > details { margin-top: 1.25rem; }
        article > :first-child { margin-top: 0; }
        article > header:first-child { margin-top: -1.25rem; }
        section section { margin-top: 1.25rem; }
        section > h2 { margin-bottom: .6rem; }
        dl { display: grid; grid-template-columns: minmax(5.5rem, max-content) minmax(0, 1fr); gap: .3rem 1rem; margin: 0; }
        dt { grid-column: 1; color: var(--quiet); }
        dd { grid-column: 2; margin: 0; }
        .note { color: var(--quiet); }
        .unverified {
          padding: 1rem; color: var(--ink); background: var(--bad-back); border: 2px dashed var(--bad); border-radius: .4rem;
        }
        .unverified .note, .unverified dt, .unverified th { color: var(--ink); }
        .over { padding: 1rem; background: var(--unsure-back); border: 2px dashed var(--unsure); border-radius: .4rem; }
        .over .note, .over dt, .over th { color: var(--ink); }
        .warning { margin: 0 0 .8rem; font-weight: 700; color: var(--bad); }
        .tone { font-weight: 600; color: var(--tone); overflow-wrap: normal; }
        table { width: 100%; margin: .5rem 0 0; border-collapse: collapse; font-size: .9375em; }
        th, td { min-width: 4.8em; padding: .35rem .6rem .35rem 0; text-align: left; vertical-align: top; }
        td[data-column="Date"], td[data-column="Valid from"], td[data-column="Valid until"] { min-width: 6.7em; }
        td[data-column="Status"], td[data-column="Record"], td[data-column="By"] { min-width: 6.3em; }
        tr > :last-child { padding-right: 0; }
        thead th { border-bottom: 1px solid var(--line); color: var(--quiet); font-weight: 600; overflow-wrap: normal; }
        tbody td { border-bottom: 1px solid var(--line); }
        tbody th { padding-top: 1.25rem; font-weight: 400; }
        .finding { padding: .9rem 0; border-top: 1px solid var(--line); }
        .finding:first-of-type { padding-top: 0; border-top: 0; }
        .finding:last-child { padding-bottom: 0; }
        .finding > :first-child { display: flex; flex-wrap: wrap; gap: .15rem .6rem; align-items: baseline; }
        footer { margin-top: 1.5rem; color: var(--quiet); font-size: .875rem; }
        @media screen and (max-width: 66rem), (max-width: 34rem) {
          main { padding: 1rem .75rem; }
          header, article { padding: 1rem; }
          article header, article > header:first-child { margin: -1rem -1rem 1rem; }
          table, tbody, tr, td, tbody th { display: block; }
          thead { display: none; }
          tr { padding: .5rem 0; border-bottom: 1px solid var(--line); }
          tr:last-child { border-bottom: 0; }
          tbody td { position: relative; min-height: 1.5em; padding: .1rem 0 .1rem 7rem; border: 0; }
          tbody td:empty { display: none; }
          tbody td::before { content: attr(data-column); position: absolute; left: 0; width: 6.5rem; color: var(--quiet); }
          tbody th { padding: .75rem 0 0; }
          .unverified td::before, .over td::before { color: var(--ink); }
          .short tr { display: grid; grid-template-columns: minmax(0, 1fr) fit-content(50%); gap: 0 1rem; }
          .short td { padding-left: 0; }
          .short td:nth-child(3) { grid-column: 1 / 3; color: var(--quiet); }
          .short td::before { content: none; }
        }
        @media (max-width: 26rem) {
          dl { display: block; }
          dd { margin: 0 0 .5rem; }
        }
        @media print {
          :root { --page: #ffffff; }
          html { font-size: 9.5pt; }
          main { max-width: none; padding: 0; }
          article { padding: 0; border: 0; }
          article > header:first-child { margin: 0 0 1rem; }
          header, h1, h2, h3, h4 { break-after: avoid; }
          table { font-size: .9em; }
          th, td { padding-right: .4rem; }
          tr, .finding { break-inside: avoid; }
          details:not([open]) { display: none; }
        }

        """
}
