import StrictJSON
import Varlink

/// `org.varlink.certification` (github.com/varlink): its description, and what each call has to bring.
enum CertificationInterface {
    static let name = "org.varlink.certification"

    static let order = ["Start"] + (1...11).map { $0 < 10 ? "Test0\($0)" : "Test\($0)" } + ["End"]

    /// The replies of Test01 to Test09; each is what the next call has to bring.
    static let replies: [String: JSONObject] = [
        "Test01": ["bool": true],
        "Test02": ["int": 1],
        "Test03": ["float": .decimal("1.0")],
        "Test04": ["string": "ping"],
        "Test05": values,
        "Test06": ["struct": .object(values)],
        "Test07": ["map": ["foo": "Foo", "bar": "Bar"]],
        "Test08": ["set": ["one": [:], "two": [:], "three": [:]]],
        "Test09": ["mytype": myType],
    ]

    static let moreReplies = (1...10).map { "Reply number \($0)" }

    static func expectedCall(of method: String, from client: String) -> VarlinkCall {
        var parameters: JSONObject = method == "Start" ? [:] : ["client_id": .string(client)]
        switch method {
        case "Start", "Test01", "End": break
        case "Test11": parameters["last_more_replies"] = .array(moreReplies.map { .string($0) })
        default:
            guard let place = order.firstIndex(of: method), let previous = replies[order[place - 1]] else { break }
            for (name, value) in previous.members { parameters[name] = value }
        }
        return VarlinkCall(
            method: "\(name).\(method)", parameters: parameters, more: method == "Test10", oneway: method == "Test11")
    }

    static func error(wants: JSONObject, got: JSONObject) -> VarlinkError {
        VarlinkError(name: "\(name).CertificationError", parameters: ["wants": .object(wants), "got": .object(got)])
    }

    private static let values: JSONObject = [
        "bool": false, "int": 2, "float": .decimal("3.141592653589793"), "string": "a lot of string",
    ]

    private static let myType: JSON = [
        "object": ["method": "org.varlink.certification.Test09", "parameters": ["map": ["foo": "Foo", "bar": "Bar"]]],
        "enum": "two",
        "struct": ["first": 1, "second": "2"],
        "array": ["one", "two", "three"],
        "dictionary": ["foo": "Foo", "bar": "Bar"],
        "stringset": ["one": [:], "two": [:], "three": [:]],
        "nullable": nil,
        "nullable_array_struct": nil,
        "interface": [
            "foo": [nil, ["foo": "foo", "bar": "bar"], nil, ["one": "foo", "two": "bar"]],
            "anon": ["foo": true, "bar": false],
        ],
    ]

    static let description = """
        # Interface to test varlink implementations against.
        # First you write a varlink client calling:
        # Start, Test01, Test02, …, Test09, End
        # The return value of the previous call should be the argument of the next call.
        # Then you test this client against well known servers like python or rust from
        # https://github.com/varlink/
        #
        # Next you write a varlink server providing the same service as the well known ones.
        # Now run your client against it and run well known clients like python or rust
        # from https://github.com/varlink/ against your server. If all works out, then
        # your new language bindings should be varlink certified.
        interface org.varlink.certification

        type Interface (
          foo: ?[]?[string](foo, bar, baz),
          anon: (foo: bool, bar: bool)
        )

        type MyType (
          object: object,
          enum: (one, two, three),
          struct: (first: int, second: string),
          array: []string,
          dictionary: [string]string,
          stringset: [string](),
          nullable: ?string,
          nullable_array_struct: ?[](first: int, second: string),
          interface: Interface
        )

        method Start() -> (client_id: string)

        method Test01(client_id: string) -> (bool: bool)

        method Test02(client_id: string, bool: bool) -> (int: int)

        method Test03(client_id: string, int: int) -> (float: float)

        method Test04(client_id: string, float: float) -> (string: string)

        method Test05(client_id: string, string: string) -> (
          bool: bool,
          int: int,
          float: float,
          string: string
        )

        method Test06(
          client_id: string,
          bool: bool,
          int: int,
          float: float,
          string: string
        ) -> (
          struct: (
            bool: bool,
            int: int,
            float: float,
            string: string
          )
        )

        method Test07(
          client_id: string,
          struct: (
            bool: bool,
            int: int,
            float: float,
            string: string
          )
        ) -> (map: [string]string)

        method Test08(client_id: string, map: [string]string) -> (set: [string]())

        method Test09(client_id: string, set: [string]()) -> (mytype: MyType)

        # returns more than one reply with "continues"
        method Test10(client_id: string, mytype: MyType) -> (string: string)

        # must be called as "oneway"
        method Test11(client_id: string, last_more_replies: []string) -> ()

        method End(client_id: string) -> (all_ok: bool)

        error ClientIdError ()
        error CertificationError (wants: object, got: object)

        """
}
