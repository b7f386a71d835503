import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;

/** Uses what agents in Java commonly use, then prints a line for each line it reads. */
public class Agent {
  public static void main(String[] args) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(3);
    threads.submit(() -> 1).get();
    threads.shutdown();
    Path folder = Files.createTempDirectory("calls");
    Path file = Files.writeString(folder.resolve("a"), "x");
    Files.move(file, folder.resolve("b"));
    Files.copy(folder.resolve("b"), file);
    for (String name : List.of("a", "b")) Files.delete(folder.resolve(name));
    Files.delete(folder);
    byte[][] garbage = new byte[50][];
    for (int i = 0; i < 200; i++) garbage[i % 50] = new byte[1 << 20];
    System.gc();
    Thread.sleep(1);
    new java.security.SecureRandom().nextInt();
    new ProcessBuilder("/bin/true").start().waitFor();
    Scanner lines = new Scanner(System.in);
    while (lines.hasNextLine()) System.out.println(lines.nextLine());
  }
}
