import { spawn } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClientTarget, ConformanceVendor } from './driver.ts'
import type { PinnedClientId } from './install.ts'

/** A command-line client: how it is set up in an empty home, and started once without anybody at the keyboard. */
export interface CommandLine {
  readonly id: PinnedClientId
  readonly label: string
  readonly vendor: ConformanceVendor
  /** Its turns go over a WebSocket, and it must be seen to open one. */
  readonly bySocket?: boolean
  /** Files of its home, by path. */
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

/** Codex by HTTP, or with a WebSocket for all turns of a run (https://developers.openai.com/codex/config-reference). */
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

export interface CommandLineRun {
  readonly code: number | null
  readonly output: string
}

export interface Workplace {
  readonly folder: string
  run(prompt: string, goesOn?: boolean): Promise<CommandLineRun>
  write(name: string, text: string): void
  /** Undefined when there is no such file. */
  read(name: string): string | undefined
  clear(): void
}

const UNPRIVILEGED_UID = 65_534
const LIMIT_MS = 120_000

/** A home and a folder with files for one client and one model; everything is thrown away afterwards. */
export function openWorkplace(tool: CommandLine, at: ClientTarget, tools: string): Workplace {
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
      // Nothing of this process's environment goes along: no keys, no proxies.
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
