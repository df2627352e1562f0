import BridgeCore

extension Fuzz {
    /// A stream's events are the same however it is cut; a message on one line is the same message, and none of it is read beyond its end.
    static func bridge(_ bytes: [UInt8]) {
        checkMessage(bytes)
        checkLines(bytes)
        for event in checkStream(bytes) { checkMessage(event.data) }
    }
}

private func checkStream(_ bytes: [UInt8]) -> [ServerEvent] {
    let limit = 4096
    var whole = EventStreamReader(limit: limit)
    let items = whole.receive(bytes)
    var single = EventStreamReader(limit: limit)
    let others = bytes.flatMap { single.receive([$0]) }
    guard items == others, whole.lastEventID == single.lastEventID, whole.retry == single.retry else { fatalError("cut, it gives others") }
    return items.compactMap { item in
        guard case .event(let event) = item else { return nil }
        guard event.data.count <= limit else { fatalError("an event beyond the limit") }
        return event
    }
}

private func checkLines(_ bytes: [UInt8]) {
    var whole = LineReader(limit: 512)
    var single = LineReader(limit: 512)
    let lines = whole.receive(bytes) + [whole.end()].compactMap { $0 }
    let others = bytes.flatMap { single.receive([$0]) } + [single.end()].compactMap { $0 }
    guard lines == others else { fatalError("cut, there are other lines") }
    for case .line(let line) in lines where line.isEmpty || line.count > 512 || line.contains(0x0A) { fatalError("no line") }
}

private func checkMessage(_ bytes: [UInt8]) {
    let message: CompactedMessage
    do throws(MCPReadError) { message = try CompactedMessage(bytes) } catch {
        guard (try? MCPBatch(reading: MCPError.line(error))) != nil else { fatalError("an error that cannot be read") }
        return
    }
    let line = message.line
    guard line.count == bytes.count, !line.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { fatalError("more than one line") }
    for (old, new) in zip(bytes, line) where old != new {
        guard new == 0x20, old == 0x0A || old == 0x0D else { fatalError("another byte was changed") }
    }
    let filled = message.line(filling: .raw(Array(#""i""#.utf8)))
    guard let again = try? MCPBatch(reading: filled), again.messages.map(\.kind) == message.batch.messages.map(\.kind) else {
        fatalError("filled in, it is another message")
    }
    var tools = ToolHeaders()
    for one in message.batch.messages where !message.batch.isArray {
        let listing = tools.learn(from: line, one, isFirstPage: true)
        guard (try? MCPBatch(reading: listing.line)) != nil, listing.line.count <= line.count else { fatalError("cut, it is no message") }
        for field in (try? known.fields(for: one, in: line)) ?? [] where !isFieldText(field.value) { fatalError("no value of a field") }
        if let name = one.routedName, !isFieldText(HeaderText.encoded(name)) { fatalError("no value of a field") }
    }
}

/// Knows the tool `a` with two annotated arguments.
private let known: ToolHeaders = {
    let line = Array(
        #"""
        {"id":1,"result":{"tools":[{"name":"a","inputSchema":{"properties":{"region":{"type":"string","x-mcp-header":"R"},
        "where":{"properties":{"n":{"type":"integer","x-mcp-header":"N"}}}}}}]}}
        """#.utf8)
    var tools = ToolHeaders()
    guard let message = try? MCPBatch(reading: line).messages.first else { fatalError("the list of tools is no message") }
    _ = tools.learn(from: line, message, isFirstPage: true)
    guard tools.knows("a") else { fatalError("the tool is not known") }
    return tools
}()

private func isFieldText(_ text: String) -> Bool {
    text.utf8.allSatisfy { 0x20...0x7E ~= $0 } && text.utf8.first != 0x20 && text.utf8.last != 0x20
}
