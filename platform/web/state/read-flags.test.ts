import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { readFlags } from './read-flags.ts'

test('reads every map that a YAML writer writes', () => {
  const name = fc.stringMatching(/^[a-zA-Z][\w-]{0,20}$/).filter((text) => !['__proto__', 'features'].includes(text))
  fc.assert(
    fc.property(fc.dictionary(name, fc.boolean()), fc.constantFrom(2, 4), (features, indent) => {
      const yaml = stringify({ version: 1, features, other: { recharge: false } }, { indent })
      expect(readFlags(yaml)).toEqual({ ...features })
    }),
    { numRuns: 300 },
  )
})

test('comments, quotes, spaces and Windows line ends are read', () => {
  expect(
    readFlags(
      '# flags\r\nfeatures: # all\r\n\r\n  recharge: false # closed\r\n  "createKey": \'no\'\r\n  deleteKey:   true\r\nother:\r\n  modifyKey: false\r\n',
    ),
  ).toEqual({
    recharge: false,
    createKey: false,
    deleteKey: true,
  })
})

test('values that are no map of switches are left out', () => {
  expect(readFlags('features: {recharge: false}')).toEqual({})
  expect(readFlags('features:\n  deep:\n    recharge: false\n  createKey: maybe\n  modifyKey: off\n')).toEqual({ modifyKey: false })
  expect(readFlags('<!doctype html><title>404</title>')).toEqual({})
  expect(readFlags('')).toEqual({})
  const both = 'features:\n  a: false\n  b: true\ngradual:\n  a: true\n'
  expect([readFlags(both), readFlags(both, 'gradual')]).toEqual([{ a: false, b: true }, { a: true }])
})
