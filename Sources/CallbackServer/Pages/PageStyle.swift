/// The one style sheet, inside every page, so that nothing has to be fetched. The policy allows it by its hash.
enum PageStyle {
    /// Contrast of text with its background is at least 4.5 to 1 in both schemes (WCAG 2.2, 1.4.3).
    static let sheet = HTML(
        trusted: """

            :root {
              color-scheme: light dark;
              --ground: #f4f5f7; --card: #ffffff; --line: #dfe2e8; --text: #1c2330; --quiet: #565f70;
              --good: #17713f; --good-ground: #e2f3e8; --bad: #ab2a2a; --bad-ground: #fbe7e6;
              --plain: #2f5aa8; --plain-ground: #e5edfa; --code: #eef0f4;
            }
            @media (prefers-color-scheme: dark) {
              :root {
                --ground: #12151b; --card: #1b2029; --line: #303846; --text: #e8ebf1; --quiet: #a3adbd;
                --good: #6fd196; --good-ground: #173525; --bad: #f59a94; --bad-ground: #402021;
                --plain: #93b7f5; --plain-ground: #1c2c49; --code: #2a313d;
              }
            }
            * { box-sizing: border-box; }
            body {
              margin: 0; min-height: 100vh; min-height: 100dvh; padding: 1.5rem;
              display: flex; flex-direction: column; align-items: center; justify-content: center;
              background: var(--ground); color: var(--text);
              font: 1.0625rem/1.65 system-ui, "Noto Sans", "Noto Sans CJK JP", "Noto Sans JP", "Hiragino Sans", sans-serif;
              overflow-wrap: anywhere;
            }
            main {
              width: 100%; max-width: 30rem; padding: 2.25rem 2.25rem 1.75rem;
              background: var(--card); border: 1px solid var(--line); border-radius: 1rem;
            }
            .mark { display: block; width: 3rem; height: 3rem; margin: 0 0 1.25rem; border-radius: 50%; padding: .75rem; }
            .mark path, .mark circle { fill: none; stroke: currentColor; stroke-width: 2.5; stroke-linecap: round; stroke-linejoin: round; }
            .mark .dot { fill: currentColor; stroke: none; }
            .good { color: var(--good); background: var(--good-ground); }
            .bad { color: var(--bad); background: var(--bad-ground); }
            .plain { color: var(--plain); background: var(--plain-ground); }
            p, h1 { text-wrap: pretty; }
            h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.35; font-weight: 650; text-wrap: balance; }
            :lang(ja) { word-break: auto-phrase; }
            :lang(ja) p { text-wrap: wrap; }
            h2 { margin: 1.75rem 0 .5rem; font-size: 1.125rem; line-height: 1.35; font-weight: 650; text-wrap: balance; }
            p { margin: 0 0 .75rem; }
            dl { margin: 1.25rem 0; border-top: 1px solid var(--line); }
            dl div { display: flex; gap: 1rem; padding: .6rem 0; border-bottom: 1px solid var(--line); }
            dt { flex: 0 0 8rem; color: var(--quiet); }
            dd { margin: 0; min-width: 0; }
            dd span { display: block; color: var(--quiet); }
            dd .answer, dd form { margin: .5rem 0 0; }
            button {
              margin: 0 .5rem .25rem 0; padding: .35rem .9rem; border: 1px solid var(--line); border-radius: .5rem;
              background: var(--code); color: var(--text); font: inherit; cursor: pointer;
            }
            button:hover { border-color: var(--quiet); }
            button:focus-visible { outline: 3px solid var(--plain); outline-offset: 2px; }
            blockquote { margin: 1rem 0; padding: .25rem 0 .25rem 1rem; border-left: 3px solid var(--line); }
            blockquote p { margin: 0; }
            blockquote p:first-child { color: var(--quiet); font-size: .9375rem; }
            code {
              padding: .1em .35em; border-radius: .3rem; background: var(--code);
              -webkit-box-decoration-break: clone; box-decoration-break: clone;
              font: .92em ui-monospace, "Noto Sans Mono", "DejaVu Sans Mono", monospace;
            }
            .quiet { margin: 1.25rem 0 0; color: var(--quiet); font-size: .9375rem; }
            footer { margin-top: 1.25rem; color: var(--quiet); font-size: .875rem; }
            [hidden] { display: none; }
            @media (max-width: 26rem) {
              body { padding: .75rem; justify-content: flex-start; font-size: 1rem; line-height: 1.5; }
              main { padding: 1.25rem 1.25rem 1rem; }
              .mark { width: 2.5rem; height: 2.5rem; margin: 0 0 .75rem; padding: .625rem; }
              h1 { font-size: 1.375rem; }
              dl { margin: .75rem 0; }
              dl div { gap: .75rem; padding: .4rem 0; }
              dt { flex: 0 0 6.25rem; font-size: .875rem; line-height: 1.7; }
              .quiet { margin-top: .75rem; font-size: .875rem; }
              footer { margin-top: .75rem; }
            }
            @media (prefers-reduced-motion: no-preference) {
              .turning { animation: turn 1.6s linear infinite; }
              @keyframes turn { to { transform: rotate(1turn); } }
            }
            @media (forced-colors: active) { main { border: 1px solid; } .mark { forced-color-adjust: none; } }

            """)

    /// SHA-256 of the sheet in base64, as in the Content Security Policy. A test compares it with the sheet.
    static let hash = "NSsIbS7WF9PrVJvoM43l+DnY65srhMTrVaRskGfSW9Y="
}

/// The icon that browsers request for every page: a door, left ajar.
enum Icon {
    static let bytes = Array(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="6" y="3" width="20" height="26" rx="3" fill="#2f5aa8"/>\
        <path d="M11 29V9l11-4v24z" fill="#e5edfa"/><circle cx="14.5" cy="18" r="1.5" fill="#2f5aa8"/></svg>
        """.utf8)
}
