import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createProcessFolder } from './run.ts'

test('folders of dead processes are wiped, also one with this process’s own number; those of live ones stay', () => {
  const parent = mkdtempSync(join(tmpdir(), 'own-folder-'))
  const gone = spawnSync(process.execPath, ['-e', '']).pid
  const left = (pid: number, name: string) => {
    mkdirSync(join(parent, `mingxi-remote-${pid}-${name}`, 'session', 'profile'), { recursive: true })
    return () => existsSync(join(parent, `mingxi-remote-${pid}-${name}`))
  }
  const [dead, same, living] = [left(gone, 'dead'), left(process.pid, 'same'), left(process.ppid, 'living')]
  const own = createProcessFolder(parent)
  expect([dead(), same(), living(), existsSync(own)]).toEqual([false, false, true, true])
  rmSync(parent, { recursive: true })
})
