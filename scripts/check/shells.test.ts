import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** Features that have this half but are missing from the shell's file. */
export function listMissingFeatures(half: string, features: readonly string[], shell: string): string[] {
  return features.filter((name) => !shell.includes(`#features/${name}/${half}/index.ts`))
}

const listFeaturesWith = (half: string) =>
  readdirSync(join(root, 'features')).filter((name) => ['index.ts', 'index.tsx'].some((file) => existsSync(join(root, 'features', name, half, file))))
const shellText = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readFileSync(join(root, folder, file), 'utf8'))
    .join('\n')

describe('every feature is listed in its shells', () => {
  test('a missing line is named', () => {
    expect(listMissingFeatures('server', ['wallet', 'cards'], `import { wallet } from '#features/wallet/server/index.ts'`)).toEqual(['cards'])
  })
  test('server', () => {
    expect(listMissingFeatures('server', listFeaturesWith('server'), readFileSync(join(root, 'apps/server/features.ts'), 'utf8'))).toEqual([])
  })
  test.each([
    ['web', 'apps/web'],
    ['console', 'apps/console'],
  ])('%s', (half, folder) => {
    expect(listMissingFeatures(half, listFeaturesWith(half), existsSync(join(root, folder)) ? shellText(folder) : '')).toEqual([])
  })
})
