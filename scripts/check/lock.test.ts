import { expect, test } from 'vitest'
import { findMissingOptional } from './lock.ts'

test('an optional package of another system that the lock file lacks is named and described', () => {
  const packages = {
    '': { version: '1.0.0', optionalDependencies: { there: '1.0.0' } },
    'node_modules/there': { version: '1.0.0' },
    'node_modules/tool': {
      dev: true,
      optionalDependencies: {
        '@tool/binding-linux-x64-musl': '2.0.0',
        '@tool/binding-darwin-arm64': '2.0.0',
        '@tool/binding-linux-arm-gnueabihf': '2.0.0',
        'nested': '1',
      },
    },
    'node_modules/other/node_modules/nested': { version: '1.0.0' },
  }
  expect(Object.fromEntries(findMissingOptional(packages))).toEqual({
    'node_modules/@tool/binding-linux-x64-musl': { version: '2.0.0', cpu: ['x64'], dev: true, libc: ['musl'], optional: true, os: ['linux'] },
    'node_modules/@tool/binding-darwin-arm64': { version: '2.0.0', cpu: ['arm64'], dev: true, optional: true, os: ['darwin'] },
    'node_modules/@tool/binding-linux-arm-gnueabihf': { version: '2.0.0', cpu: ['arm'], dev: true, libc: ['glibc'], optional: true, os: ['linux'] },
  })
})
