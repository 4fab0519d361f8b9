import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findMissingTerms } from '../testing/sdk-terms.ts'
import { readSdkShapes } from '../testing/sdk-types.ts'

describe('the terms', () => {
  it('name every field, tool, tier and figure of the pinned SDKs', () => {
    expect(findMissingTerms(join(import.meta.dirname, '../../../../..'))).toEqual({ unknown: [], gone: [] })
  })

  it('are read from the types as they are: members, numbers by path, and the types of a union', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sdk-types-'))
    try {
      for (const name of ['openai', '@anthropic-ai/sdk', '@google/genai']) {
        const home = join(folder, 'node_modules', name)
        mkdirSync(home, { recursive: true })
        writeFileSync(join(home, 'package.json'), JSON.stringify({ name, version: '1.0.0', types: './index.d.ts' }))
        writeFileSync(
          join(home, 'index.d.ts'),
          `export interface Usage { total: number; of?: { deep: number | null; name: string } | null; list?: { count: number }[]; kind: 'a' }
          export type Tool = { type: 'one' } | { type: 'two' | 'three'; name: string } | { name: string }
          declare namespace Sdk { export { Usage, Tool } }
          export default Sdk`,
        )
      }
      const type = 'Google.Usage'
      expect(
        readSdkShapes(folder, [
          { type, as: 'members' },
          { type, as: 'paths' },
          { type: 'OpenAI.Tool', as: 'tags' },
          { type: 'Anthropic.Gone', as: 'members' },
        ]),
      ).toEqual([['kind', 'list', 'of', 'total'], ['list[].count', 'of.deep', 'total'], ['one', 'three', 'two'], []])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
