import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Entry programs that tests start as separate processes, including the server's sandbox issuer. */
export const PROGRAMS = [
  'apps/server/main.ts',
  'apps/server/operate/operate-command.ts',
  'apps/server/reseal-command.ts',
  'stand-ins/card-network/bank/main.ts',
] as const

/** A program's file name in the bundle, without its extension. */
export const toTestBundleName = (file: string): string => file.replaceAll(/[/.]/g, '-')

const ROOT = join(import.meta.dirname, '../..')
const BUNDLER = join(import.meta.dirname, 'bundle-server.ts')
let bundling: Promise<unknown> | undefined

/**
 * Resolves the file from which a test starts a program: in a run of many files, a bundle that the first file makes; otherwise the source.
 */
export async function resolveProgram(file: (typeof PROGRAMS)[number]): Promise<string> {
  const run = process.env['MINGXI_RUN']
  if (!run) return join(ROOT, file)
  const folder = join(run, 'server')
  if (!existsSync(folder)) await (bundling ??= promisify(execFile)(process.execPath, [BUNDLER, folder]))
  return join(folder, `${toTestBundleName(file)}.mjs`)
}
