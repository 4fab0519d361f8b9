import type { ClientTarget, ConformanceVendor } from './driver.ts'
import { spawn, execFile } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync, chmodSync, copyFileSync, existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const CODEX = { package: '@openai/codex', version: '0.169.0' } as const

/** Command-line clients, pinned to the versions that the compatibility page lists. They are not dependencies of the project. */
export const PINNED_CLIENTS = {
  'claude-code': { package: '@anthropic-ai/claude-code', version: '2.1.329' },
  'codex': CODEX,
  'codex-socket': CODEX,
  'gemini-cli': { package: '@google/gemini-cli', version: '0.61.0' },
} as const
type PinnedClientId = keyof typeof PINNED_CLIENTS

/**
 * Installs the tools into a folder that any user may read, because they run unprivileged when this runs as root, with a copy of this Node,
 * whose own folder may be unreadable. Does nothing if the same versions are installed.
 */
export async function installPinnedClients(folder = process.env['CONFORMANCE_CLIENTS'] ?? join(tmpdir(), 'mingxi-clients')): Promise<string> {
  const wanted = [...new Set(Object.values(PINNED_CLIENTS).map((tool) => `${tool.package}@${tool.version}`))]
  const stamp = join(folder, 'installed.json')
  const said = JSON.stringify({ wanted, node: process.version })
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === said) return folder
  mkdirSync(join(folder, 'bin'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...wanted], { cwd: folder, maxBuffer: 16 * 1024 * 1024 })
  copyFileSync(process.execPath, join(folder, 'bin', 'node'))
  chmodSync(join(folder, 'bin', 'node'), 0o755)
  writeFileSync(stamp, said)
  return folder
}

/** A command-line client: its configuration in an empty home, and its non-interactive start. */
interface CommandLine {
  readonly id: PinnedClientId
  readonly label: string
  readonly vendor: ConformanceVendor
  /** The client's turns use a WebSocket; the run must observe one being opened. */
  readonly bySocket?: boolean
  /** Files of the client's home, by path. */
  readonly files: (at: ClientTarget) => Readonly<Record<string, string>>
  readonly env: (at: ClientTarget) => Readonly<Record<string, string>>
  readonly command: (at: ClientTarget, prompt: string, goesOn: boolean) => readonly string[]
}

export const COMMAND_LINES: readonly CommandLine[] = [
  {
    id: 'claude-code',
    label: 'Claude Code',
    vendor: 'anthropic',
    files: () => ({}),
    // https://code.claude.com/docs/en/env-vars
    env: (at) => ({
      ANTHROPIC_BASE_URL: at.baseUrl,
      ANTHROPIC_AUTH_TOKEN: at.apiKey,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
    }),
    command: (at, prompt, goesOn) => ['claude', '-p', prompt, '--model', at.model, '--dangerously-skip-permissions', ...(goesOn ? ['--continue'] : [])],
  },
  createCodex('codex', 'Codex CLI', false),
  createCodex('codex-socket', 'Codex CLI, WebSocket', true),
  {
    id: 'gemini-cli',
    label: 'Gemini CLI',
    vendor: 'google',
    // https://geminicli.com/docs/reference/configuration
    files: () => ({
      '.gemini/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      }),
    }),
    env: (at) => ({ GEMINI_API_KEY: at.apiKey, GOOGLE_GEMINI_BASE_URL: at.baseUrl, GEMINI_CLI_NO_RELAUNCH: 'true' }),
    command: (at, prompt, goesOn) => ['gemini', '-p', prompt, '-m', at.model, '--yolo', '--skip-trust', ...(goesOn ? ['--resume', 'latest'] : [])],
  },
]

/** Codex over HTTP, or with one WebSocket for all turns of a run (https://developers.openai.com/codex/config-reference). */
function createCodex(id: PinnedClientId, label: string, bySocket: boolean): CommandLine {
  return {
    id,
    label,
    vendor: 'openai',
    bySocket,
    files: (at) => ({
      '.codex/config.toml': [
        `model = "${at.model}"`,
        'model_provider = "mingxi"',
        'web_search = "disabled"',
        'check_for_update_on_startup = false',
        '[analytics]',
        'enabled = false',
        '[model_providers.mingxi]',
        'name = "Mingxi"',
        `base_url = "${at.baseUrl}/v1"`,
        'wire_api = "responses"',
        'env_key = "MINGXI_API_KEY"',
        `supports_websockets = ${bySocket}`,
        '',
      ].join('\n'),
    }),
    env: (at) => ({ MINGXI_API_KEY: at.apiKey }),
    command: (_, prompt, goesOn) => {
      const flags = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox']
      return goesOn ? ['codex', 'exec', 'resume', '--last', ...flags, prompt] : ['codex', 'exec', ...flags, prompt]
    },
  }
}

interface CommandLineRun {
  readonly code: number | null
  readonly output: string
}

interface Workplace {
  readonly folder: string
  run(prompt: string, goesOn?: boolean): Promise<CommandLineRun>
  write(name: string, text: string): void
  /** Reads a file; undefined if it does not exist. */
  read(name: string): string | undefined
  clear(): void
}

const UNPRIVILEGED_UID = 65_534
const LIMIT_MS = 120_000

/** Creates a temporary home and a working folder for one client and one model; both are removed afterwards. */
function openWorkplace(tool: CommandLine, at: ClientTarget, tools: string): Workplace {
  const root = mkdtempSync(join(tmpdir(), `mingxi-${tool.id}-`))
  const home = join(root, 'home')
  const folder = join(root, 'work')
  const isRoot = process.getuid?.() === 0
  const give = (path: string): void => {
    if (isRoot) chownSync(path, UNPRIVILEGED_UID, UNPRIVILEGED_UID)
  }
  for (const path of [root, home, folder]) {
    mkdirSync(path, { recursive: true })
    give(path)
  }
  for (const [path, text] of Object.entries(tool.files(at))) {
    const place = join(home, path)
    mkdirSync(join(place, '..'), { recursive: true })
    writeFileSync(place, text)
    give(join(place, '..'))
    give(place)
  }
  return {
    folder,
    write(name, text) {
      writeFileSync(join(folder, name), text)
      give(join(folder, name))
    },
    read(name) {
      try {
        return readFileSync(join(folder, name), 'utf8')
      } catch {
        return undefined
      }
    },
    clear: () => rmSync(root, { recursive: true, force: true }),
    run(prompt, goesOn = false) {
      const [name, ...args] = tool.command(at, prompt, goesOn)
      // The client inherits nothing from this process's environment: no keys, no proxies.
      const env = { PATH: `${join(tools, 'bin')}:/usr/bin:/bin`, HOME: home, TERM: 'dumb', NO_COLOR: '1', ...tool.env(at) }
      const child = spawn(join(tools, 'node_modules', '.bin', name!), args, {
        cwd: folder,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
        ...(isRoot ? { uid: UNPRIVILEGED_UID, gid: UNPRIVILEGED_UID } : {}),
        timeout: LIMIT_MS,
        killSignal: 'SIGKILL',
      })
      let output = ''
      const take = (part: Buffer): void => {
        output += part.toString()
      }
      child.stdout.on('data', take)
      child.stderr.on('data', take)
      return new Promise((resolve) => {
        child.on('error', (error) => resolve({ code: -1, output: String(error) }))
        child.on('close', (code) => resolve({ code, output }))
      })
    },
  }
}

/** Jobs for a command-line client. Its tools actually run; the sandbox plays the model (stand-ins/models/player.ts). */
export const COMMAND_LINE_JOBS = ['job', 'parallel', 'goes-on', 'error'] as const
export type CommandLineJob = (typeof COMMAND_LINE_JOBS)[number]

export type JobOutcome = { readonly is: 'pass' } | { readonly is: 'fail'; readonly why: string }

/** Runs the jobs one after the other in one working folder. */
export async function runCommandLineJobs(
  tool: CommandLine,
  at: ClientTarget,
  { tools, requests }: { readonly tools: string; readonly requests: () => Promise<number> },
): Promise<Readonly<Record<CommandLineJob, JobOutcome>>> {
  const place = openWorkplace(tool, at, tools)
  const { folder } = place
  place.write('numbers.txt', '3\n5\n9\n')
  place.write('more.txt', '25\n')
  const ask = async (steps: string, goesOn = false): Promise<CommandLineRun & { readonly asked: number }> => {
    const before = await requests()
    const ran = await place.run(`Do this job. [[play: ${steps}]]`, goesOn)
    return { ...ran, asked: (await requests()) - before }
  }
  try {
    const job = await ask(`read ${folder}/numbers.txt; write ${folder}/sum.txt $sum; run ls ${folder}; read ${folder}/sum.txt; say The sum is $sum.`)
    const both = await ask(`read ${folder}/numbers.txt & read ${folder}/more.txt; write ${folder}/both.txt $sum; say Both files were read.`)
    const more = await ask(`read ${folder}/both.txt; write ${folder}/again.txt $sum; say It was written again.`, true)
    const refused = await place.run('Hi [[sandbox:fault=bad-request]]')
    return {
      'job': checkRun(job, 'The sum is 17.', { place, file: 'sum.txt', content: '17', isWhole: job.asked >= 5 }),
      'parallel': checkRun(both, 'Both files were read.', { place, file: 'both.txt', content: '42', isWhole: both.asked >= 3 }),
      'goes-on': checkRun(more, 'It was written again.', { place, file: 'again.txt', content: '42', isWhole: more.asked >= 3 }),
      'error': refused.code !== 0 && /bad.request|invalid|400/i.test(refused.output) ? { is: 'pass' } : toFailure(refused, 'no error was shown'),
    }
  } finally {
    place.clear()
  }
}

/** Checks the client's final output, the file that its tool wrote, and that the job made as many calls as it has turns. */
function checkRun(
  ran: CommandLineRun,
  words: string,
  { place, file, content, isWhole }: { readonly place: Workplace; readonly file: string; readonly content: string; readonly isWhole: boolean },
): JobOutcome {
  if (ran.code !== 0) return toFailure(ran, `it ended with ${ran.code}`)
  if (!ran.output.includes(words)) return toFailure(ran, 'its last words are not the model’s')
  if (place.read(file)?.trim() !== content) return toFailure(ran, `${file} holds ${JSON.stringify(place.read(file))}`)
  return isWhole ? { is: 'pass' } : toFailure(ran, 'fewer calls than turns')
}

const toFailure = (ran: CommandLineRun, why: string): JobOutcome => ({ is: 'fail', why: `${why}: ${ran.output.slice(-400).replaceAll(/\s+/g, ' ')}` })
