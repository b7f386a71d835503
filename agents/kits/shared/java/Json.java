import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** JSON as maps, lists, strings, booleans, Long, Double and null; readers that throw an IllegalArgumentException. */
final class Json {
    private final String text;
    private int at = 0;

    private Json(String text) {
        this.text = text;
    }

    static Object parse(String text) {
        var json = new Json(text);
        var value = json.value();
        json.space();
        if (json.at < text.length()) throw json.wrong("the end");
        return value;
    }

    private IllegalArgumentException wrong(String wanted) {
        return new IllegalArgumentException("JSON: expected " + wanted + " at character " + at);
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
    }

    private boolean take(char wanted) {
        space();
        if (at >= text.length() || text.charAt(at) != wanted) return false;
        at++;
        return true;
    }

    private void need(char wanted) {
        if (!take(wanted)) throw wrong("'" + wanted + "'");
    }

    private Object value() {
        space();
        if (take('{')) {
            var object = new LinkedHashMap<String, Object>();
            if (take('}')) return object;
            do {
                need('"');
                var name = word();
                need(':');
                object.put(name, value());
            } while (take(','));
            need('}');
            return object;
        }
        if (take('[')) {
            var list = new ArrayList<Object>();
            if (take(']')) return list;
            do list.add(value());
            while (take(','));
            need(']');
            return list;
        }
        if (take('"')) return word();
        for (var each : new String[] {"true", "false", "null"})
            if (text.startsWith(each, at)) {
                at += each.length();
                return each.equals("null") ? null : (Object) each.equals("true");
            }
        return number();
    }

    private Object number() {
        int from = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) at++;
        var digits = text.substring(from, at);
        try {
            if (digits.matches("-?[0-9]{1,18}")) return Long.valueOf(digits);
            return Double.valueOf(digits);
        } catch (NumberFormatException problem) {
            at = from;
            throw wrong("a value");
        }
    }

    private String word() {
        var made = new StringBuilder();
        while (true) {
            if (at >= text.length()) throw wrong("the end of a text");
            char next = text.charAt(at++);
            if (next == '"') return made.toString();
            if (next != '\\') {
                made.append(next);
                continue;
            }
            char escaped = text.charAt(at++);
            int simple = "bfnrt".indexOf(escaped);
            if (simple >= 0) made.append("\b\f\n\r\t".charAt(simple));
            else if (escaped != 'u') made.append(escaped);
            else {
                made.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
                at += 4;
            }
        }
    }

    static String write(Object value) {
        var text = new StringBuilder();
        write(value, text);
        return text.toString();
    }

    private static void write(Object value, StringBuilder text) {
        if (value instanceof Map<?, ?> object) {
            text.append('{');
            var comma = "";
            // The order of Map.of differs from run to run.
            var ordered = object instanceof LinkedHashMap<?, ?> ? object : new TreeMap<>(object);
            for (var entry : ordered.entrySet()) {
                text.append(comma);
                write(entry.getKey().toString(), text);
                text.append(':');
                write(entry.getValue(), text);
                comma = ",";
            }
            text.append('}');
        } else if (value instanceof List<?> list) {
            text.append('[');
            var comma = "";
            for (var each : list) {
                text.append(comma);
                write(each, text);
                comma = ",";
            }
            text.append(']');
        } else if (value instanceof String string) {
            text.append('"');
            for (char each : string.toCharArray()) {
                if (each == '"' || each == '\\') text.append('\\').append(each);
                else if (each < ' ') text.append(String.format("\\u%04x", (int) each));
                else text.append(each);
            }
            text.append('"');
        } else if (value instanceof Double number && number == Math.rint(number) && Math.abs(number) < 1e15) {
            text.append(number.longValue());
        } else {
            text.append(value);
        }
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Object value) {
        if (value instanceof Map<?, ?> object) return (Map<String, Object>) object;
        throw new IllegalArgumentException("expected an object, not " + value);
    }

    static String string(Object value) {
        if (value instanceof String text) return text;
        throw new IllegalArgumentException("expected a text, not " + value);
    }

    static Double number(Object value) {
        if (value instanceof Number number) return number.doubleValue();
        throw new IllegalArgumentException("expected a number, not " + value);
    }

    static Long whole(Object value) {
        if (value instanceof Number number && number.doubleValue() == Math.rint(number.doubleValue()))
            return number.longValue();
        throw new IllegalArgumentException("expected a whole number, not " + value);
    }

    static Integer integer(Object value) {
        return Math.toIntExact(whole(value));
    }

    static Boolean bool(Object value) {
        if (value instanceof Boolean yes) return yes;
        throw new IllegalArgumentException("expected true or false, not " + value);
    }

    static Object any(Object value) {
        return value;
    }

    static <T> Function<Object, List<T>> list(Function<Object, T> read) {
        return value -> {
            if (!(value instanceof List<?> given))
                throw new IllegalArgumentException("expected a list, not " + value);
            var list = new ArrayList<T>();
            for (var each : given) list.add(read.apply(each));
            return list;
        };
    }

    /** Reads what may be absent or null. */
    static <T> Function<Object, T> orNull(Function<Object, T> read) {
        return value -> value == null ? null : read.apply(value);
    }

    /** Reads a field, and names it if it cannot be read. */
    static <T> T field(Map<String, Object> fields, String name, Function<Object, T> read) {
        try {
            return read.apply(fields.get(name));
        } catch (IllegalArgumentException problem) {
            throw new IllegalArgumentException(name + ": " + problem.getMessage());
        }
    }

    static <T> List<Object> listOf(List<T> list, Function<T, Object> write) {
        var written = new ArrayList<Object>();
        for (var each : list) written.add(write.apply(each));
        return written;
    }
}
