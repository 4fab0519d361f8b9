import { expect, test } from 'vitest'
import { FILE_CHUNK_BYTES } from '../../wire.ts'
import type { RemotePageMessage } from '../../wire.ts'
import { createFileTransfers } from './transfer.ts'

const bytes = Uint8Array.from({ length: 3 * FILE_CHUNK_BYTES + 5 }, (_, at) => (at * 7) % 251)
const bytesOf = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
const textOf = (all: Uint8Array) => btoa([...all].map((one) => String.fromCharCode(one)).join(''))

test('a file is sent in pieces, in order, and is fetched unchanged', async () => {
  let there = new Uint8Array()
  const arrived: number[] = []
  const transfers = createFileTransfers(
    (wish: RemotePageMessage) => {
      if (wish.do === 'put') {
        expect([wish.name, wish.size, wish.at]).toEqual(['a.bin', bytes.length, there.length])
        there = Uint8Array.from([...there, ...bytesOf(wish.data)])
        setTimeout(() => transfers.hear({ tell: 'put', file: wish.file, at: there.length }))
      } else if (wish.do === 'get')
        // Later pieces are answered earlier
        setTimeout(
          () =>
            transfers.hear({
              tell: 'piece',
              file: wish.file,
              at: wish.at,
              data: textOf(there.subarray(wish.at, wish.at + FILE_CHUNK_BYTES)),
            }),
          20 - wish.at / FILE_CHUNK_BYTES,
        )
    },
    () => 'file_0001',
  )
  expect(await transfers.send(new File([bytes], 'a.bin'), (at) => void arrived.push(at))).toBe('file_0001')
  expect([there.length, arrived.at(-1)]).toEqual([bytes.length, bytes.length])
  const out = await transfers.fetch({ id: 'file_0001', size: there.length }, () => {})
  expect(textOf(new Uint8Array(await out.arrayBuffer())) === textOf(bytes)).toBe(true)
})

test('an empty file is sent, too, and a lost connection fails a running transfer', async () => {
  const wishes: RemotePageMessage[] = []
  const transfers = createFileTransfers((wish) => void wishes.push(wish))
  const sending = transfers.send(new File([], 'empty'), () => {})
  while (!wishes.length) await new Promise((done) => setTimeout(done))
  expect(wishes[0]).toMatchObject({ do: 'put', size: 0, at: 0, data: '' })
  transfers.fail()
  await expect(sending).rejects.toThrow('broken off')
})
