import { cpSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { buildPages } from '#apps/server/pages.ts'

const dist = join(import.meta.dirname, '../dist')
const RUN = /^run-(\d+)$/
const folder = join(dist, `run-${process.pid}`)

/**
 * The pages of this run: built once, and a copy of its own for all its servers, so that a source which is edited meanwhile
 * changes nothing under them. It lies in the checkout because what draws the public pages finds its packages there.
 */
export async function setup(project: TestProject): Promise<void> {
  const scratch = join(dist, `building-${process.pid}`)
  const built = await buildPages(scratch)
  rmSync(scratch, { recursive: true, force: true })
  for (const name of readdirSync(dist)) if (isLeft(name)) rmSync(join(dist, name), { recursive: true, force: true })
  cpSync(built.web, join(folder, 'web'), { recursive: true })
  cpSync(built.prerender, join(folder, 'prerender'), { recursive: true })
  project.provide('pagesDir', folder)
}

export function teardown(): void {
  rmSync(folder, { recursive: true, force: true })
}

/** By a run that was killed. */
function isLeft(name: string): boolean {
  const pid = Number(RUN.exec(name)?.[1])
  if (!pid || pid === process.pid) return false
  try {
    return !process.kill(pid, 0)
  } catch {
    return true
  }
}
