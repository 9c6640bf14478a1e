#!/usr/bin/env python3
"""Every check of the project, one counted step after another: `make test`.

Each step prints PASS or FAIL with its time, a failed one also what it said. A step that counts
tests of its own (cargo test, or a last line `N passed, M failed`) adds those counts; any other step
counts as one. The last line is `N passed, M failed`; the exit status is 0 only where M is 0.
Names as arguments run only the steps whose name contains one of them.
"""
import os, re, subprocess, sys, time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
BUILD = os.path.join(ROOT, 'build')
STAGE = os.path.join(BUILD, 'stage')
INCLUDE, LIB = os.path.join(STAGE, 'include'), os.path.join(STAGE, 'lib')
SO, ARCHIVE = os.path.join(LIB, 'libs3fast.so'), os.path.join(LIB, 'libs3fast.a')
TESTS = ['s3fast_md5', 'common_surface', 's3_transfers', 's3_scenarios']
WARN = ['-Wall', '-Wextra', '-Wno-unused-parameter', '-Wno-missing-field-initializers']
SYSLIBS = ['-lpthread', '-ldl', '-lm', '-lgcc_s', '-lc']
passed = failed = 0


def run(command, limit=900, **env):
    """Exit status and all that was said."""
    try:
        p = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, errors='replace', timeout=limit, env={**os.environ, **env})
    except subprocess.TimeoutExpired as e:
        said = e.stdout or b''
        return 124, (said.decode(errors='replace') if isinstance(said, bytes) else said) + f'\nno end after {limit} s'
    except OSError as e:
        return 127, str(e)
    return p.returncode, p.stdout + p.stderr


def counts(said):
    """Passed and failed as the output counts them, or None."""
    cargo = re.findall(r'^test result: \w+\. (\d+) passed; (\d+) failed;', said, re.M)
    if cargo:
        return sum(int(a) for a, _ in cargo), sum(int(b) for _, b in cargo)
    own = re.findall(r'^(\d+) passed, (\d+) failed', said, re.M)
    return (int(own[-1][0]), int(own[-1][1])) if own else None


def step(name, check):
    """check() gives (exit status, text)."""
    global passed, failed
    wanted = sys.argv[1:]
    if wanted and not any(w in name for w in wanted):
        return True
    start = time.time()
    status, said = check()
    good, bad = counts(said) or (int(status == 0), 0)
    if status != 0 and bad == 0:
        bad = 1
    passed, failed = passed + good, failed + bad
    ok = status == 0 and bad == 0
    print(f"{'PASS' if ok else 'FAIL'}  {name}  ({good} passed, {bad} failed, {time.time() - start:.0f} s)", flush=True)
    if not ok:
        print('\n'.join('      ' + line for line in said.splitlines()[-60:]), flush=True)
    return ok


def command(*words, limit=900, **env):
    return lambda: run(list(words), limit, **env)


def release_library():
    """Built as shipped; the line that builds it really asks for LTO; name and needs are right."""
    os.utime(os.path.join(ROOT, 'src', 'lib.rs'))
    status, said = run(['cargo', 'rustc', '-v', '--release', '--lib', '--crate-type', 'cdylib,staticlib'])
    if status:
        return status, said
    lines = [l for l in said.splitlines() if '--crate-name s3fast ' in l and '--crate-type cdylib' in l]
    if not lines or not all(re.search(r'-C lto(=fat)?( |`)', l) for l in lines):
        return 1, 'the line that builds the library has no -C lto:\n' + '\n'.join(lines)
    status, said = run(['make', '--no-print-directory', '-s', 'lib'])
    if status:
        return status, said
    status, said = run(['readelf', '-d', 'target/release/libs3fast.so'])
    needed = set(re.findall(r'NEEDED.*\[(.*)\]', said))
    allowed = re.compile(r'^(libc|libm|libgcc_s|libpthread|libdl|ld-linux[-\w]*)\.so(\.\d+)*$')
    strange = [n for n in needed if not allowed.match(n)]
    if strange:
        return 1, f'needs more than the system libraries: {strange}'
    if 'Library soname: [libs3fast.so.0]' not in said:
        return 1, 'the SONAME is not libs3fast.so.0:\n' + said
    return status, ''


def compile_c(out, sources, *flags, cc='cc'):
    return run([cc, '-g', '-O1', '-std=gnu11', *WARN, f'-I{INCLUDE}', f'-I{HERE}', '-o', out, *sources, *flags])


def c_program(name, kind):
    """Where a C test lies once built: shared, static, or with the address sanitizer (static)."""
    out = os.path.join(BUILD, f'{name}-{kind}')
    link = [f'-L{LIB}', '-ls3fast', f'-Wl,-rpath,{LIB}', '-lpthread'] if kind == 'shared' else [ARCHIVE, *SYSLIBS]
    extra = ['-fsanitize=address'] if kind == 'asan' else []
    sources = [os.path.join(HERE, f'{n}.c') for n in (name, 'harness')]
    return out, compile_c(out, sources, *extra, *link)


def c_test(name, kind):
    def check():
        out, (status, said) = c_program(name, kind)
        if status:
            return status, said
        env = {'S3FAST_TEST_SLOW': '4'} if kind == 'asan' else {}
        return run([out], 600, **env)
    return check


def as_cxx():
    """The tests' own sources are C; every header they use is C++ as well (c-tests/headers/run.sh). What is
    compiled here as C++ is a program that calls the library."""
    return run(['c++', '-std=c++17', *WARN, f'-I{INCLUDE}', '-o', os.path.join(BUILD, 'cxx'), os.path.join(HERE, 'cxx_program.cc'),
                f'-L{LIB}', '-ls3fast', f'-Wl,-rpath,{LIB}'])


def cxx():
    status, said = as_cxx()
    return run([os.path.join(BUILD, 'cxx')], 60) if status == 0 else (status, said)


def planted_fault():
    """A byte written behind a buffer that the library made, and one that is never given back: the sanitizer must say so."""
    source, out = os.path.join(HERE, 'planted.c'), os.path.join(BUILD, 'planted')
    status, said = compile_c(out, [source], '-fsanitize=address', ARCHIVE, *SYSLIBS)
    if status:
        return status, said
    for fault, sign in (('overrun', 'heap-buffer-overflow'), ('leak', 'LeakSanitizer: detected memory leaks')):
        status, said = run([out, fault], 60)
        if status == 0 or sign not in said:
            return 1, f'{fault} was not caught (exit {status}):\n{said}'
    return run([out, 'none'], 60)


def bench_program():
    """The benchmark's source compiles unchanged and links with -ls3fast alone."""
    source = os.path.join(HERE, 'bench', 's3bench.c')
    return run(['cc', '-O2', '-Wall', '-Werror=implicit-function-declaration', f'-I{INCLUDE}', '-o', os.path.join(BUILD, 's3bench-check'), source,
                f'-L{LIB}', '-ls3fast'])


def main():
    os.makedirs(BUILD, exist_ok=True)
    step('format', command('cargo', 'fmt', '--check'))
    step('release library: LTO, SONAME, what it needs', release_library)
    step('install', command('make', '--no-print-directory', '-s', 'install', 'DESTDIR=', f'PREFIX={STAGE}'))
    for part in ('server', 'fault'):
        step(f'build c-tests/{part}', command('make', '--no-print-directory', part))
    step('clippy', command('cargo', 'clippy', '--quiet', '--all-targets', '--', '-D', 'warnings'))
    step('documentation', command('cargo', 'doc', '--quiet', '--no-deps', '--lib', RUSTDOCFLAGS='-D warnings'))
    step('unit tests, tidy, headers as generated', command('cargo', 'test', '--quiet', '--no-fail-fast'))
    step('headers alone and together, C99 to C++20', command('c-tests/headers/run.sh', INCLUDE))
    step('header inlines', command('c-tests/headers/inlines.sh', INCLUDE, SO))
    step('facts of the ABI', command('c-tests/abi/run_abi.sh', INCLUDE, SO, 'strict'))
    step('error names', command('c-tests/abi/run_errors.sh', INCLUDE, SO))
    step('hostile arguments', command('c-tests/hostile/run.sh', INCLUDE, SO))
    step('hostile arguments, address sanitizer', command('c-tests/hostile/run.sh', INCLUDE, ARCHIVE, '-fsanitize=address', ASAN_OPTIONS='detect_leaks=0:allocator_may_return_null=1'))
    step('the sanitizer catches planted faults', planted_fault)
    for kind in ('shared', 'static'):
        for name in TESTS:
            step(f'{name}, {kind}', c_test(name, kind))
    for name in TESTS[:3]:
        step(f'{name}, address sanitizer', c_test(name, 'asan'))
    step('a C++ program', cxx)
    step('s3bench.c, unchanged', bench_program)
    step('consumers of the installed tree', command('c-tests/consumers/run.sh', STAGE))
    print(f'{passed} passed, {failed} failed')
    return failed == 0


sys.exit(0 if main() else 1)
