//! Documents, places, keys, aliases and limits.

use serde_json::{Value, json};

use super::*;

fn value(text: &str) -> Value {
    parse(text, Mode::Lenient).unwrap()[0].to_value()
}

fn error(text: &str) -> (Code, u32, u32) {
    let error = parse(text, Mode::Strict).unwrap_err();
    assert!(!error.message.starts_with("error."), "{}", error.message);
    (error.code, error.line, error.column)
}

#[test]
fn a_text_may_hold_several_documents_or_none() {
    for (text, values) in [
        ("", vec![]),
        ("# only a comment\n", vec![]),
        ("---\n", vec![json!(null)]),
        ("a: 1\n---\nb: 2\n", vec![json!({"a": 1}), json!({"b": 2})]),
        ("{\"a\": 1}\n{\"b\": 2}", vec![json!({"a": 1}), json!({"b": 2})]),
        ("\u{feff}a: 1\r\nb: 2\r\n", vec![json!({"a": 1, "b": 2})]),
        ("{a: 1, b: [x]}", vec![json!({"a": 1, "b": ["x"]})]),
    ] {
        let read: Vec<Value> = parse(text, Mode::Strict).unwrap().iter().map(Node::to_value).collect();
        assert_eq!(read, values, "{text:?}");
    }
}

#[test]
fn places_count_characters_from_1() {
    for text in ["spec:\n  ä: {b: [x, 10]}\n", "{\"spec\":\n  {\"ä\": {\"b\": [\"x\",\n10]}}}"] {
        let node = &parse(text, Mode::Strict).unwrap()[0];
        assert_eq!(node.get("spec.ä.b[1]").unwrap().value, Kind::Int(10), "{text}");
        assert_eq!(node.locate("spec.ä").line, 2);
        assert_eq!(node.locate("spec.ä.b[7].c"), node.locate("spec.ä.b"), "the nearest thing around it");
    }
    let node = &parse("a:\n  bc: de\n", Mode::Strict).unwrap()[0];
    assert_eq!(node.get("a.bc").unwrap().span, Span::new((2, 7), (2, 9)));
    assert_eq!(node.locate("a.bc"), Span::new((2, 3), (2, 5)));
    let node = &parse("labels: {a.b/c: x}", Mode::Strict).unwrap()[0];
    assert_eq!(node.get("labels[a.b/c]").unwrap().text(), "x");
    let key = node.locate("labels[a.b/c]");
    assert_eq!(node.path_of_key(key).as_deref(), Some("labels.a.b/c"));
}

#[test]
fn keys_are_texts_and_the_last_of_a_name_wins() {
    assert_eq!(value("1: a\ntrue: b\n0x10: c"), json!({"1": "a", "true": "b", "16": "c"}));
    for text in ["a: 1\nb: 2\na: 3", "{\"a\": 1,\n\"b\": 2,\n\"a\": 3}"] {
        assert_eq!(value(text), json!({"a": 3, "b": 2}));
        let (code, line, _) = error(text);
        assert_eq!((code, line), (Code::DuplicateKey, 3));
        assert_eq!(read(text).unwrap().duplicates.len(), 1);
    }
    for text in ["~: a", "[a]: b", "{a: b}: c"] {
        assert_eq!(error(text).0, Code::Syntax, "{text}");
    }
}

#[test]
fn merge_keys_put_members_in_place() {
    assert_eq!(value("<<: {a: 1, b: 2}\nc: 3"), json!({"a": 1, "b": 2, "c": 3}));
    assert_eq!(value("<<: {a: 1}\na: 2"), json!({"a": 2}));
    assert_eq!(value("a: 2\n<<: {a: 1}"), json!({"a": 1}));
    assert_eq!(value("<<: [{a: 1}, {a: 2, b: 2}]"), json!({"a": 1, "b": 2}));
    assert_eq!(value("\"<<\": 1"), json!({"<<": 1}));
    assert_eq!(error("<<: 1").0, Code::Syntax);
}

#[test]
fn anchors_and_aliases() {
    assert_eq!(value("a: &x [1]\nb: *x\nc: &x 2\nd: *x"), json!({"a": [1], "b": [1], "c": 2, "d": 2}));
    for text in ["a: &x [*x]", "a: *nothing"] {
        assert_eq!(error(text).0, Code::Syntax, "{text}");
    }
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..10 {
        let alias = format!("*a{}", level - 1);
        bomb.push_str(&format!("a{level}: &a{level} [{}]\n", [alias.as_str(); 10].join(", ")));
    }
    assert_eq!(error(&bomb).0, Code::TooManyAliases);
    let long = format!("- &a {}\n{}", "x".repeat(10_000), "- *a\n".repeat(1_000));
    assert_eq!(error(&long).0, Code::TooManyAliases);
}

#[test]
fn depth_and_length_have_limits() {
    for open in ["[", "- ", "{\"a\":", "? ", "{\"a\":["] {
        assert_eq!(error(&open.repeat(10_000)).0, Code::TooDeep, "{open}");
    }
    let ten_megabytes = "a: b\n".repeat(2 * 1024 * 1024);
    assert_eq!(error(&ten_megabytes), (Code::TooLarge, 629_146, 4));
    let fits = format!("{}1{}", "[".repeat(MAX_DEPTH), "]".repeat(MAX_DEPTH));
    assert!(parse(&fits, Mode::Strict).is_ok());
}

#[test]
fn json_has_its_own_numbers_val_6() {
    let node = &parse("{\"a\": 2.0, \"b\": 1e1, \"c\": -3, \"d\": \"yes\"}", Mode::Strict).unwrap()[0];
    for (path, kind) in
        [("a", Kind::Float(2.0)), ("b", Kind::Float(10.0)), ("c", Kind::Int(-3)), ("d", Kind::String("yes".to_owned()))]
    {
        assert_eq!(node.get(path).unwrap().value, kind, "{path}");
    }
}

#[test]
fn what_cannot_be_read_has_a_place() {
    for (text, line, column) in
        [("a: b: c", 1, 5), ("a:\n\tb: c", 2, 2), ("a: [1, 2", 1, 9), ("a: .inf", 1, 4), ("a: !!int x", 1, 4)]
    {
        let (code, at_line, at_column) = error(text);
        assert_eq!((code, at_line, at_column), (Code::Syntax, line, column), "{text:?}");
    }
}

#[test]
fn a_text_that_is_nearly_json_is_read_as_yaml_or_says_where_json_ends() {
    assert_eq!(value("{\"a\": 1,}"), json!({"a": 1}));
    assert_eq!(value("{\"a\": yes}"), json!({"a": true}));
    for (text, line, column) in [
        ("{\"a\": nul}", 1, 7),
        ("{\"a\": 01}", 1, 7),
        ("{\"a\" 1}", 1, 6),
        ("{\"a\": \"\\x\"}", 1, 7),
        ("{\"a\": \"x\n\"}", 1, 7),
        ("{\"a\": 1", 1, 8),
        ("{\"a\": 1,}", 1, 9),
        ("{\"ä\": 1,\n \"b\" }", 2, 6),
    ] {
        let error = json::read(text).unwrap_err();
        assert_eq!((error.code, error.line, error.column), (Code::Syntax, line, column), "{text:?}");
    }
}
