import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Production roles; `sandbox` is not among them. */
export const PRODUCTION_ROLES = ['api', 'gateway', 'worker', 'console', 'proxy', 'mail', 'remote'] as const

/** Settings that production requires, with fictitious values: enough to start. */
export const PLACEHOLDER_SETTINGS = {
  PUBLIC_URL: 'https://mingxi.example',
  SECRET_KEY: Buffer.alloc(32, 'no key of an installation').toString('base64'),
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'hello@mingxi.example',
  STRIPE_SECRET_KEY: 'sk_live_12345678',
  STRIPE_WEBHOOK_SECRETS: 'whsec_12345678',
  OPENAI_API_KEY: 'sk-none',
} as const

export interface StartedRelease {
  readonly url: string
  readonly consoleUrl: string
  readonly pid: number
  /** Milliseconds from the start of the process until it listened. */
  readonly ms: number
  /** Resident memory in megabytes. */
  memoryMb(): number
  output(): string
  stop(): Promise<void>
}

/** Uid and gid of Debian's unprivileged user. */
const UNPRIVILEGED_ID = 65_534

export interface StartOptions {
  readonly env: Readonly<Record<string, string>>
  /** With a read-only release, as an unprivileged user. */
  readonly confined: boolean
  /** Arguments after `mingxi`. */
  readonly words?: readonly string[]
  /** Another command that runs the same program, such as an image's. */
  readonly command?: readonly [string, string[]]
}

/**
 * Command that runs a release which cannot write to its own folder: a separate mount namespace with the folder mounted read-only, which holds for
 * every user, and Debian's unprivileged user without capabilities. Requires root; `chmod` would not restrict a role that runs as root.
 */
export function buildConfinedCommand(folder: string, words: readonly string[]): [string, string[]] {
  const user = [`--reuid=${UNPRIVILEGED_ID}`, `--regid=${UNPRIVILEGED_ID}`, '--clear-groups', '--bounding-set=-all', '--inh-caps=-all', '--no-new-privs']
  const script =
    'set -e; mount --bind "$1" "$1"; mount -o remount,ro,bind "$1"; release=$1; shift; exec setpriv ' + user.join(' ') + ' "$release/bin/mingxi" "$@"'
  return ['unshare', ['--mount', 'sh', '-c', script, 'sh', folder, ...words]]
}

/** True if this machine allows mounting: root, and a kernel that allows namespaces. */
export const canConfine = (): boolean => process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

/** Starts `mingxi` of a release in an environment that contains only `env`; resolves when it listens. */
export async function startRelease(folder: string, { env, confined, words = [], command: given }: StartOptions): Promise<StartedRelease> {
  const data = mkdtempSync(join(tmpdir(), 'mingxi-release-'))
  mkdirSync(join(data, 'state'))
  chmodSync(data, 0o755)
  if (confined) chownSync(join(data, 'state'), UNPRIVILEGED_ID, UNPRIVILEGED_ID)
  const [command, args] = given ?? (confined ? buildConfinedCommand(folder, words) : [join(folder, 'bin/mingxi'), [...words]])
  const from = performance.now()
  const child = spawn(command, args, {
    cwd: '/',
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DATA_DIR: join(data, 'state'), HOST: '127.0.0.1', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
  const stop = async (): Promise<void> => {
    const gone = new Promise((done) => child.once('exit', done))
    if (!hasEnded(child) && child.kill('SIGTERM')) await gone
    rmSync(data, { recursive: true, force: true })
  }
  for (;;) {
    const port = /"port":(\d+),"msg":"listening"/.exec(text)?.[1]
    const consolePort = /"consolePort":(\d+)/.exec(text)?.[1]
    if (port !== undefined)
      return {
        url: `http://127.0.0.1:${port}`,
        consoleUrl: `http://127.0.0.1:${consolePort ?? 0}`,
        pid: child.pid!,
        ms: Math.round(performance.now() - from),
        memoryMb: () => Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1024),
        output: () => text,
        stop,
      }
    if (hasEnded(child)) {
      await stop()
      throw new Error(`the release did not start:\n${text}`)
    }
    await sleep(10)
  }
}
