import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A bot that plays any game: it reads one question per line and answers with one line, both JSON. Change choose(). */
public class Bot {
    private static final Random RANDOM = new Random();

    /** One of the legal moves. This is where your ideas go. */
    static String choose(String side, List<String> moves, List<String> legal) {
        return legal.get(RANDOM.nextInt(legal.size()));
    }

    /** Answers until the referee says that it is over. To see what happens, print to System.err, never to System.out. */
    public static void main(String[] arguments) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String type = text(line, "type");
            if (type.equals("start")) {
                System.out.println("{\"name\": \"my bot\"}");
            } else if (type.equals("move")) {
                String move = choose(text(line, "side"), list(line, "moves"), list(line, "legal"));
                System.out.println("{\"move\": \"" + move + "\"}");
            } else if (type.equals("end")) {
                return;
            }
            System.out.flush();
        }
    }

    /** The text under a key of the message, or "". Java has no JSON reader of its own; moves need no more than this. */
    static String text(String message, String key) {
        Matcher match = Pattern.compile("\"" + key + "\": \"([^\"]*)\"").matcher(message);
        return match.find() ? match.group(1) : "";
    }

    /** The list of texts under a key of the message. */
    static List<String> list(String message, String key) {
        List<String> found = new ArrayList<>();
        Matcher whole = Pattern.compile("\"" + key + "\": \\[([^\\]]*)\\]").matcher(message);
        if (whole.find()) {
            Matcher one = Pattern.compile("\"([^\"]*)\"").matcher(whole.group(1));
            while (one.find()) {
                found.add(one.group(1));
            }
        }
        return found;
    }
}
