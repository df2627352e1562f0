/// The style and the images of the pages.
enum Assets {
    static let style = """
        :root { --ground: #f4f5f9; --card: #fff; --text: #1c2030; --faint: #5b6275; --line: #d5d9e5; --accent: #4338ca; }
        @media (prefers-color-scheme: dark) {
          :root { --ground: #14161f; --card: #1e2130; --text: #eceef6; --faint: #a9b0c4; --line: #3a4056; --accent: #a5b4fc; }
        }
        * { box-sizing: border-box; }
        body { margin: 0; min-height: 100vh; display: grid; grid-template-columns: minmax(0, 1fr); place-items: center; padding: 1rem;
          background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
        main { width: 100%; max-width: 26rem; padding: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: 1rem;
          overflow-wrap: anywhere; }
        @media (max-width: 26rem) { main { padding: 1.25rem; } }
        .brand { margin: 0 0 1rem; color: var(--accent); font-weight: 600; }
        h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.25; }
        .wishes { margin: 0 0 1.5rem; padding-left: 1.25rem; color: var(--faint); }
        form { display: grid; grid-template-columns: minmax(0, 1fr); gap: .75rem; }
        button { font: inherit; color: inherit; cursor: pointer; border-radius: .75rem; border: 1px solid var(--line); background: none; }
        button:hover { border-color: var(--accent); }
        button:focus-visible, a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
        .person { display: flex; align-items: center; gap: 1rem; padding: .75rem 1rem; text-align: left; }
        .person img { flex: none; }
        .code { width: 100%; padding: .75rem 1rem; font: inherit; font-size: 1.5rem; letter-spacing: .1em; text-transform: uppercase; color: inherit;
          background: none; border: 1px solid var(--line); border-radius: .75rem; }
        .no { padding: .75rem 1rem; color: var(--faint); }
        .small { margin: 1.5rem 0 0; font-size: .875rem; color: var(--faint); }
        a { color: var(--accent); }

        """

    /// Initials on a disc.
    static func picture(of person: Person) -> String {
        let colours = ["ada": "#6d28d9", "grace": "#0f766e"]
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" role="img" aria-label="\(person.displayName)">
            <circle cx="48" cy="48" r="48" fill="\(colours[person.name] ?? "#475569")"/>
            <text x="48" y="61" font-family="system-ui, sans-serif" font-size="36" text-anchor="middle" fill="#fff">
            \(person.initials)
            </text>
            </svg>

            """
    }
}
