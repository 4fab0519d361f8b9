import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { check } from './check.mjs'
import { findChromium } from './chromium.mjs'
import { describe, expect, onTestFinished, test } from 'vitest'

test('a failing step is reported with its output, and counted', async () => {
  const said: string[] = []
  const result = await check({ fine: ['-e', ''], wrong: ['-e', 'console.error("the reason"); process.exit(3)'] }, (line: string) => said.push(line))
  expect(result).toEqual({ passed: 1, failed: 1 })
  expect(said.join('\n')).toMatch(/FAILED wrong[\s\S]*the reason[\s\S]*1 of 2 failed: wrong/)
})

describe('the browser', () => {
  test('CHROMIUM wins, and must exist', () => {
    expect(findChromium({ CHROMIUM: process.execPath, PATH: '' })).toBe(process.execPath)
    expect(findChromium({ CHROMIUM: '/nowhere/chrome', PATH: process.env['PATH'] })).toBeUndefined()
    expect(findChromium({ PATH: '' })).toBeUndefined()
  })

  test('the shell without windows comes before the whole browser', () => {
    const folder = mkdtempSync(join(tmpdir(), 'mingxi-browsers-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const put = (name: string) => {
      symlinkSync(process.execPath, join(folder, name))
      return join(folder, name)
    }
    const whole = put('chromium')
    expect(findChromium({ PATH: folder })).toBe(whole)
    const shell = put('chromium-headless-shell')
    expect(findChromium({ PATH: folder })).toBe(shell)
  })
})
