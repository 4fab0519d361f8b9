import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { createCdp } from './cdp.ts'
import type { Cdp } from './cdp.ts'
import { createFileFolders } from './files.ts'
import type { FileFolders } from './files.ts'

export interface ViewportSize {
  readonly width: number
  readonly height: number
}

export interface BrowserLaunchOptions {
  /** Slot number in this process; determines the session's system user. */
  readonly slot: number
  readonly folder: string
  readonly size: ViewportSize
  /** Our own forward proxy, `http://host:port`. */
  readonly proxy: string
  /** Path of Chromium; defaults to the one installed on the machine. */
  readonly chromium?: string | undefined
  /** True if this process already runs as a dedicated user that owns nothing else. */
  readonly isOwnUser: boolean
  /** Limit of a page's script heap in megabytes. */
  readonly heapMegabytes: number
  /** Timeout in milliseconds for the browser's first response. */
  readonly startMs?: number
}

export interface LaunchedBrowser {
  readonly cdp: Cdp
  readonly pid: number
  readonly uid: number
  readonly room: FileFolders
  /** Resolves when the browser has exited for any reason. */
  readonly gone: Promise<void>
  /** Ends all of its processes and wipes its folder. */
  end(): Promise<void>
}

/** Reason why no browser can start here; a sentence for operators. */
export class BrowserLaunchError extends Error {}

const CHROMIUM_PATHS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome']
const NICE_LEVEL = 10
const START_MS = 40_000
const [LIMITER, BINDER] = ['/usr/bin/prlimit', '/usr/bin/taskset'] as const
/** Limits of a browser's processes: eight tabs take some 200 threads, and no page needs a file as large as `fsize`. */
const PROCESS_LIMITS = ['--nproc=2048', '--fsize=268435456', '--core=0', '--nofile=4096']
/** Shell command that wipes the session's files however the browser ends, also when this process dies: Chromium exits when its pipe closes. */
const WIPE_SCRIPT = '"$@"; rm -rf -- "$HOME"/* "$HOME"/.[!.]* "$ROOM"/in/* "$ROOM"/out/*'

/** Checks that a non-root user can run Chromium, and returns its path. Chromium's own sandbox stays on: without it, no session begins. */
export function findChromium({ chromium, isOwnUser }: Pick<BrowserLaunchOptions, 'chromium' | 'isOwnUser'>): { path: string } {
  const path = chromium ?? CHROMIUM_PATHS.find((one) => existsSync(one))
  if (!path || !existsSync(path)) throw new BrowserLaunchError('there is no Chromium on this machine: apt-get install chromium-headless-shell')
  for (const tool of [LIMITER, BINDER]) if (!existsSync(tool)) throw new BrowserLaunchError(`${tool} is missing: apt-get install util-linux`)
  if (process.getuid?.() !== 0 && !isOwnUser)
    throw new BrowserLaunchError('this process can give a browser no user of its own: run the role `remote` as a user of its own and set REMOTE_OWN_USER=true')
  return { path }
}

/** Uid of a slot: owns nothing, is assigned by no other process, and needs no entry in the user database. */
export function computeSlotUid(slot: number, pid = process.pid): number {
  const [first = 0, , count = 0] = readUidMap()
  return first === 0 && count > FULL_UID_RANGE ? 1_000_000_000 + pid * 64 + (slot % 64) : 61_000 + (slot % 1000)
}
const FULL_UID_RANGE = 4_000_000_000
function readUidMap(): readonly number[] {
  try {
    return readFileSync('/proc/self/uid_map', 'utf8').trim().split(/\s+/).map(Number)
  } catch {
    return []
  }
}

/** Starts a Chromium with its own user, profile and proxy, and without this process's environment. */
export async function launchBrowser(wish: BrowserLaunchOptions): Promise<LaunchedBrowser> {
  const { path } = findChromium(wish)
  const isRoot = process.getuid?.() === 0
  const uid = isRoot ? computeSlotUid(wish.slot) : (process.getuid?.() ?? 0)
  // We own the folder and the browser owns its contents, so it cannot replace the folders by links
  mkdirSync(wish.folder, { recursive: true })
  chmodSync(wish.folder, 0o711)
  const home = join(wish.folder, 'home')
  mkdirSync(home, { mode: 0o700 })
  if (isRoot) chownSync(home, uid, uid)
  const room = createFileFolders(wish.folder, isRoot ? uid : undefined)
  const core = String(wish.slot % availableParallelism())
  const command = [LIMITER, ...PROCESS_LIMITS, BINDER, '-c', core, '/usr/bin/nice', '-n', String(NICE_LEVEL), path, ...buildArgs(wish, home)]
  const child = spawn('/bin/sh', ['-c', WIPE_SCRIPT, 'sh', ...command], {
    ...(isRoot ? { uid, gid: uid } : {}),
    cwd: home,
    detached: true,
    env: { HOME: home, TMPDIR: home, ROOM: wish.folder, PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', TZ: 'America/Los_Angeles' },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  })
  const gone = new Promise<void>((done) => {
    child.once('exit', () => done())
    child.once('error', () => done())
  })
  const cdp = createCdp(child.stdio[3] as Duplex, child.stdio[4] as Duplex)
  void gone.then(() => cdp.end())
  const end = () => stopBrowser(child, gone, wish.folder)
  const late = setTimeout(() => killGroup(child), wish.startMs ?? START_MS)
  try {
    await cdp.send('Browser.getVersion')
  } catch {
    await end()
    throw new BrowserLaunchError('the browser did not start: its sandbox needs user namespaces (kernel.unprivileged_userns_clone, AppArmor)')
  } finally {
    clearTimeout(late)
  }
  return { cdp, pid: child.pid!, uid, room, gone, end }
}

function buildArgs({ size, proxy, heapMegabytes }: BrowserLaunchOptions, home: string): string[] {
  return [
    '--headless',
    // Visited pages, sign-ins and the cache stay in memory and never reach the profile on disk
    '--incognito',
    '--remote-debugging-pipe',
    `--user-data-dir=${join(home, 'profile')}`,
    `--window-size=${size.width},${size.height}`,
    '--lang=en-US',
    // All traffic leaves through the proxy, which resolves names itself: no DNS query and no packet bypasses it
    `--proxy-server=${proxy}`,
    '--proxy-bypass-list=<-loopback>',
    `--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE ${new URL(proxy).hostname}`,
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--disable-quic',
    '--dns-prefetch-disable',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-default-apps',
    '--disable-extensions',
    '--disable-sync',
    '--disable-breakpad',
    '--disable-gpu',
    '--deny-permission-prompts',
    '--mute-audio',
    '--no-first-run',
    '--no-default-browser-check',
    '--password-store=basic',
    '--renderer-process-limit=4',
    `--js-flags=--max-old-space-size=${heapMegabytes}`,
    'about:blank',
  ]
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // All processes had ended
  }
}

async function stopBrowser(child: ChildProcess, gone: Promise<void>, folder: string): Promise<void> {
  killGroup(child)
  if (child.pid !== undefined) await gone
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
