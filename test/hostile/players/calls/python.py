# Uses what agents in Python commonly use, then prints a line for each line it reads.
import asyncio, concurrent.futures, mmap, multiprocessing, os, resource, select, shutil, signal, socket
import subprocess, sys, tempfile, threading, time


def square(x):
    return x * x


async def child():
    process = await asyncio.create_subprocess_exec('/bin/cat', stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert (await process.communicate(b'x'))[0] == b'x'


if __name__ == '__main__':
    thread = threading.Thread(target=time.sleep, args=(0.001,))
    thread.start()
    thread.join()
    assert subprocess.run(['/bin/echo', 'x'], capture_output=True).stdout == b'x\n'
    with multiprocessing.Pool(2) as pool:
        assert pool.map(square, [1, 2]) == [1, 4]
    with concurrent.futures.ThreadPoolExecutor(2) as executor:
        assert list(executor.map(square, [3])) == [9]
    multiprocessing.Queue().put(1)
    asyncio.run(child())
    folder = tempfile.mkdtemp()
    with open(folder + '/a', 'w') as file:
        file.write('x')
    os.rename(folder + '/a', folder + '/b')
    os.symlink('b', folder + '/c')
    shutil.copy2('/usr/bin/env', folder)
    shutil.copytree(folder, folder + '-2')
    shutil.rmtree(folder + '-2')
    shutil.rmtree(folder)
    with tempfile.TemporaryFile() as file:
        file.write(b'x')
        file.flush()
        os.fsync(file.fileno())
    mmap.mmap(-1, 4096).close()
    a, b = socket.socketpair()
    a.send(b'x')
    assert select.select([b], [], [], 1)[0] == [b]
    signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, 0.001)
    time.sleep(0.01)
    resource.getrusage(resource.RUSAGE_SELF)
    os.sched_getaffinity(0)
    if os.fork() == 0:
        os._exit(0)
    os.wait()
    for line in sys.stdin:
        print(line.strip())
