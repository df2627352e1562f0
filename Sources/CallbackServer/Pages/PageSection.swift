/// The common form of all messages to a user: a mark, a heading, a status that a screen reader announces, and the rest.
struct PageSection {
    /// The kind of message, visible at a glance.
    enum Mark {
        case good, bad, plain, turning
    }

    /// How urgently a screen reader announces the message (WAI-ARIA roles).
    enum Announcement: String {
        case status, alert
    }

    var mark: Mark
    var heading: String
    /// What happened, in a sentence or two.
    var message: HTML
    var announcement = Announcement.status
    /// What follows the message.
    var rest = HTML.empty

    var html: HTML {
        """
        \(mark.html)
        <h1>\(heading)</h1>
        <div role="\(announcement.rawValue)"><p>\(message)</p></div>
        \(rest)
        """
    }
}

extension PageSection.Mark {
    fileprivate var html: HTML {
        switch self {
        case .good: Self.drawing("good", #"<path d="M5 12.5l4.5 4.5L19 7.5"/>"#)
        case .bad: Self.drawing("bad", #"<path d="M12 6v7"/><circle class="dot" cx="12" cy="17.5" r="1.6"/>"#)
        case .plain: Self.drawing("plain", #"<path d="M12 11v7"/><circle class="dot" cx="12" cy="6.5" r="1.6"/>"#)
        case .turning: Self.drawing("plain turning", #"<path d="M12 4a8 8 0 1 0 8 8"/>"#)
        }
    }

    /// It says nothing more than the heading, so it is hidden from screen readers.
    private static func drawing(_ classes: HTML, _ shapes: HTML) -> HTML {
        #"<svg class="mark \#(classes)" viewBox="0 0 24 24" aria-hidden="true" focusable="false">\#(shapes)</svg>"#
    }
}
