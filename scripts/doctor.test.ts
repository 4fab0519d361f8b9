import { spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

interface Line {
  readonly what: string
  readonly ok: boolean
  readonly needed: boolean
  readonly mend: string
}
const file = join(import.meta.dirname, 'doctor.mjs')
const { examine, look, report } = await import(file)

const healthy = {
  npm: '11.1.0',
  node: '26.10.0',
  platform: 'linux-x64',
  glibc: true,
  isRoot: true,
  setpriv: true,
  ownDatabase: false,
  postgres: true,
  chromium: '/usr/bin/chromium',
  chineseFont: true,
  gcc: '/usr/bin/gcc',
  port: 3000,
  portFree: true,
  dataDir: '/data',
  writable: true,
  freeGb: 20,
  memoryGb: 4,
  cores: 2,
}
const listProblems = (change: object): Line[] => (examine({ ...healthy, ...change }) as Line[]).filter((line) => !line.ok)

describe('doctor', () => {
  test('a healthy machine may start', () => {
    expect(listProblems({})).toEqual([])
    expect(report(examine(healthy)).exitCode).toBe(0)
  })

  test.each([
    [{ npm: undefined }, 'npm install'],
    [{ npm: '8.0.0' }, 'npm install'],
    [{ node: undefined }, 'npm install --no-save'],
    [{ node: '20.1.0' }, 'npm install --no-save'],
    [{ glibc: false }, 'glibc'],
    [{ postgres: false }, 'DATABASE_URL'],
    [{ setpriv: false }, 'util-linux'],
    [{ portFree: false }, 'PORT='],
    [{ writable: false }, 'DATA_DIR='],
    [{ freeGb: 0.4 }, '1 GB'],
    [{ memoryGb: 0.4 }, '1 GB'],
  ])('%j stops the start and says how to mend it', (change, mend) => {
    expect(listProblems(change)).toMatchObject([{ needed: true, mend: expect.stringContaining(mend) }])
    expect(report(examine({ ...healthy, ...change })).exitCode).toBe(1)
  })

  test.each([
    [{ chromium: undefined }, 'chromium'],
    [{ chineseFont: false }, 'fonts-noto-cjk'],
    [{ gcc: undefined }, 'gcc'],
    [{ cores: 1 }, '2 or more'],
  ])('%j does not stop the start', (change, mend) => {
    expect(listProblems(change)).toMatchObject([{ needed: false, mend: expect.stringContaining(mend) }])
    expect(report(examine({ ...healthy, ...change })).exitCode).toBe(0)
  })

  test('a tool that this machine does not need is not reported', () => {
    expect(listProblems({ isRoot: false, setpriv: false })).toEqual([])
    expect(listProblems({ ownDatabase: true, postgres: false, setpriv: false })).toEqual([])
    expect(listProblems({ chineseFont: undefined })).toEqual([])
  })

  test('a taken port is seen, and the exit code says so', async () => {
    const server = createServer()
    await new Promise<void>((done) => {
      server.listen(0, '0.0.0.0', done)
    })
    const { port } = server.address() as AddressInfo
    expect((await look({ ...process.env, PORT: String(port) })).portFree).toBe(false)
    const done = spawnSync(process.execPath, [file], { encoding: 'utf8', env: { ...process.env, PORT: String(port) } })
    expect(done.stdout).toContain(`MISSING port ${port} is taken`)
    expect(done.status).toBe(1)
    server.close()
  })
})
