# SPDX-License-Identifier: Apache-2.0
# The shape of OTLP/JSON for traces, a request (a line) at a time: what is
# wrong with it, a text each; nothing if it is right.  Ids are lower-case hex,
# 64-bit numbers decimal strings, enumerations numbers, names in camelCase.

def only($names): (keys - $names)[] | "unknown member \(.)";
def fault($good; $text): if $good then empty else $text end;
def text: type == "string";
def time: text and test("^[0-9]{1,20}$");
def id($n): text and test("^[0-9a-f]{\($n)}$") and test("[^0]");

def value:
	only(["stringValue", "boolValue", "intValue", "doubleValue",
		"arrayValue", "kvlistValue", "bytesValue"]),
	fault(length == 1; "a value of \(length) kinds"),
	fault(.stringValue | . == null or text; "stringValue is no text"),
	fault(.intValue | . == null or (text and test("^-?[0-9]+$"));
		"intValue is no decimal string");

def attributes:
	fault(type == "array"; "attributes are no array"),
	fault((map(.key) | length) == (map(.key) | unique | length);
		"a key twice"),
	(.[] | only(["key", "value"]),
		fault(.key | text and . != ""; "no key"), (.value | value));

def event:
	only(["timeUnixNano", "name", "attributes", "droppedAttributesCount"]),
	fault(.timeUnixNano | time; "timeUnixNano"),
	fault(.name | text and . != ""; "an event without name"),
	(.attributes // [] | attributes);

def link:
	only(["traceId", "spanId", "traceState", "attributes",
		"droppedAttributesCount", "flags"]),
	fault(.traceId | id(32); "traceId of a link"),
	fault(.spanId | id(16); "spanId of a link");

def span:
	only(["traceId", "spanId", "traceState", "parentSpanId", "flags",
		"name", "kind", "startTimeUnixNano", "endTimeUnixNano",
		"attributes", "droppedAttributesCount", "events",
		"droppedEventsCount", "links", "droppedLinksCount", "status"]),
	fault(.traceId | id(32); "traceId"),
	fault(.spanId | id(16); "spanId"),
	fault((has("parentSpanId") | not) or (.parentSpanId | id(16));
		"parentSpanId"),
	fault(.parentSpanId != .spanId; "a span that is its own parent"),
	fault(.name | text and . != ""; "a span without name"),
	fault(.kind | IN(1, 2, 3, 4, 5); "kind"),
	fault(.startTimeUnixNano | time; "startTimeUnixNano"),
	fault(.endTimeUnixNano | time; "endTimeUnixNano"),
	fault((.startTimeUnixNano | length) < (.endTimeUnixNano | length) or
		.startTimeUnixNano <= .endTimeUnixNano; "ends before it starts"),
	(.attributes // [] | attributes),
	(.events // [] | .[] | event),
	(.links // [] | .[] | link),
	(.status | only(["code", "message"]),
		fault(.code | IN(null, 0, 1, 2); "status code"));

def scope_spans:
	only(["scope", "spans", "schemaUrl"]),
	(.scope | only(["name", "version", "attributes",
		"droppedAttributesCount"]), fault(.name | text; "scope name")),
	fault(.schemaUrl | text; "schemaUrl"),
	fault(.spans | type == "array" and . != []; "no spans"),
	(.spans[] | span);

def resource_spans:
	only(["resource", "scopeSpans", "schemaUrl"]),
	(.resource | only(["attributes", "droppedAttributesCount",
		"entityRefs"]), (.attributes | attributes),
		fault(any(.attributes[]; .key == "service.name");
			"no service.name")),
	fault(.schemaUrl | text; "schemaUrl"),
	(.scopeSpans[] | scope_spans);

only(["resourceSpans"]),
fault([.. | select(. == null)] == []; "a null"),
(.resourceSpans[] | resource_spans)
