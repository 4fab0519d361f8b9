import { expect, test } from 'vitest'
import { MEDIA_KINDS } from '#features/gateway/contract-units.ts'
import { buildMediaSnippets } from './media-snippets.ts'

test.each(MEDIA_KINDS)('%s: a call in three clients, with this address and model, and JSON that is JSON', (kind) => {
  const codes = new Map(buildMediaSnippets('https://x.test', 'the-model', kind).map(({ id, code }) => [id, code]))
  expect([...codes.keys()]).toEqual(['curl', 'python', 'node'])
  for (const code of codes.values()) {
    expect(code).toContain('https://x.test/v1')
    expect(code).toContain('the-model')
  }
  const body = /-d '(.*)'/.exec(codes.get('curl')!)?.[1]
  if (kind === 'transcription') expect(codes.get('curl')).toContain('-F file=@')
  else expect(JSON.parse(body!)).toMatchObject({ model: 'the-model' })
  const node = codes.get('node')!
  expect(() => new Function(`return async () => {${node.replace(/^import .*$/gm, '')}}`)).not.toThrow()
})
