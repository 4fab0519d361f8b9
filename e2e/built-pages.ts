import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { buildConsole, buildPages } from '#apps/server/pages/pages.ts'

let folder: string

/**
 * The built pages of this run. Built once and copied for all its servers, so that an edited source changes nothing during the run. The
 * renderer of the public pages finds its packages through the link next to them.
 */
export async function setup(project: TestProject): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'mingxi-pages-'))
  const built = await buildPages(join(folder, 'building'))
  await buildConsole(join(folder, 'building'))
  cpSync(built.web, join(folder, 'web'), { recursive: true })
  cpSync(built.console, join(folder, 'console'), { recursive: true })
  cpSync(built.prerender, join(folder, 'prerender'), { recursive: true })
  symlinkSync(join(import.meta.dirname, '../node_modules'), join(folder, 'node_modules'))
  project.provide('pagesDir', folder)
}

export function teardown(): void {
  rmSync(folder, { recursive: true, force: true })
}
