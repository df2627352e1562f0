import Testing

/// Tries a race at every point, not at one.
///
/// What the first event begins is a chain of steps. The scenario is run again for each of them: the second event comes before the first
/// step, in the next run after one step, then after two, and at last when there is no step left. Then everything happens that still can.
///
/// - Parameters:
///   - prepare: makes all that the two events meet.
///   - first: happens, and is carried on step by step; so it must not settle.
///   - second: happens in between; nor must this.
///   - check: what holds in the end, whichever came first; names the ending, so that the test sees that each of them was reached.
/// - Returns: how many runs came to each ending.
@discardableResult
func everyInterleaving<Scene, First, Second>(
    _ prepare: () throws -> Scene, first: (Scene) throws -> First, second: (Scene) throws -> Second,
    check: (Scene, First, Second, _ moment: Comment) throws -> String
) throws -> [String: Int] {
    let executor = QueueExecutor.shared
    var endings: [String: Int] = [:]
    for steps in 0..<1000 {
        executor.settle()
        let scene = try prepare()
        let first = try first(scene)
        var taken = 0
        while taken < steps, executor.step() { taken += 1 }
        let second = try second(scene)
        executor.settle()
        endings[try check(scene, first, second, "the second event came after \(taken) steps"), default: 0] += 1
        guard taken == steps else { return endings }
    }
    Issue.record("the first event has no end")
    return endings
}
