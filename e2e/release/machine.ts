import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A Debian with systemd as its first process, in separate namespaces: its ports are not those of this machine. */
export interface Machine {
  readonly root: string
  /**
   * Runs a script in the machine's shell; the shell's variables and umask persist for the next one. `online`: uses this machine's network,
   * for packages.
   */
  run(script: string, options?: { readonly online?: boolean; readonly quiet?: boolean }): { readonly status: number; readonly output: string }
  /** Runs a command of this machine in the container's network, where these names resolve to the container. */
  beside(command: readonly string[], names: readonly string[], env: Readonly<Record<string, string>>): { readonly status: number; readonly output: string }
  stop(): Promise<void>
}

const SUITE = 'trixie'
/** Packages that a Debian installation has and `debootstrap --variant=minbase` has not. */
const BASE_PACKAGES = 'systemd,systemd-sysv,dbus,procps'

/** Creates a bare Debian stable, and caches it for the next run. */
export function prepareDebian(cache: string): string {
  const base = join(cache, SUITE)
  if (existsSync(base)) return base
  const fresh = `${base}-${process.pid}`
  mkdirSync(dirname(fresh), { recursive: true })
  execFileSync('debootstrap', ['--variant=minbase', `--include=${BASE_PACKAGES}`, SUITE, fresh], { stdio: ['ignore', 'ignore', 'inherit'] })
  renameSync(fresh, base)
  return base
}

export async function startDebianMachine(folder: string, cache: string): Promise<Machine> {
  const root = join(folder, 'root')
  execFileSync('cp', ['-a', '--reflink=auto', prepareDebian(cache), root])
  writeFileSync(join(root, 'etc/machine-id'), '')
  const log = openSync(join(folder, 'boot.log'), 'w')
  // systemd is not the first process here, so the container cannot be registered
  const packages = join(cache, 'packages')
  mkdirSync(join(packages, 'partial'), { recursive: true })
  const nspawn = spawn(
    'systemd-nspawn',
    [
      `--bind=${packages}:/var/cache/apt/archives`,
      '--quiet',
      '--register=no',
      '--keep-unit',
      '--private-network',
      '--resolv-conf=copy-host',
      '--console=pipe',
      '--boot',
      '-D',
      root,
    ],
    {
      env: { ...process.env, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1' },
      stdio: ['ignore', log, log],
    },
  )
  let leader = ''
  const enter = (online: boolean): string[] => ['-t', leader, '-m', '-u', '-i', '-p', '-C', ...(online ? [] : ['-n'])]
  const tell = (command: string, args: readonly string[], quiet = false) => {
    const { status, stdout } = spawnSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1e8 })
    if (!quiet) process.stdout.write(stdout.replace(/^(?=.)/gm, '    '))
    return { status: status ?? 1, output: stdout }
  }
  const STATE = '/root/.shell'
  const machine: Machine = {
    root,
    run: (script, { online = false, quiet = false } = {}) => {
      writeFileSync(join(root, 'root/.script'), `set -eu\n. ${STATE}\n${script}\n{ export -p; echo "umask $(umask)"; } > ${STATE}\n`)
      return tell(
        'nsenter',
        [
          ...enter(online),
          'env',
          '-i',
          'HOME=/root',
          'LANG=C.UTF-8',
          'DEBIAN_FRONTEND=noninteractive',
          'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
          'sh',
          '-c',
          'exec 2>&1; cd /root; exec sh /root/.script',
        ],
        quiet,
      )
    },
    beside: (command, names, env) => {
      const hosts = join(folder, 'hosts')
      writeFileSync(hosts, `127.0.0.1 localhost ${names.join(' ')}\n`)
      const set = Object.entries(env).map(([name, value]) => `${name}=${value}`)
      return tell('nsenter', [
        '-t',
        leader,
        '-n',
        'unshare',
        '--mount',
        'sh',
        '-c',
        `mount --bind ${hosts} /etc/hosts; exec "$@"`,
        'sh',
        'env',
        ...set,
        ...command,
      ])
    },
    stop: async () => {
      const gone = new Promise((done) => nspawn.once('exit', done))
      if (nspawn.exitCode === null) {
        spawnSync('nsenter', [...enter(false), 'systemctl', 'poweroff'])
        await gone
      }
      rmSync(root, { recursive: true, force: true })
    },
  }
  for (let tries = 0; ; tries++) {
    if (nspawn.exitCode !== null || tries > 600) throw new Error(`the machine does not start:\n${readFileSync(join(folder, 'boot.log'), 'utf8')}`)
    leader = spawnSync('pgrep', ['-P', String(nspawn.pid)], { encoding: 'utf8' }).stdout.trim()
    if (leader !== '' && spawnSync('nsenter', [...enter(false), 'systemctl', 'is-system-running', '--wait'], { encoding: 'utf8' }).stdout.includes('running'))
      break
    await sleep(100)
  }
  mkdirSync(join(root, 'root'), { recursive: true })
  writeFileSync(join(root, STATE), '')
  return machine
}
