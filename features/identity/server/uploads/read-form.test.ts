import { expect, test } from 'vitest'
import { readUploadForm } from './read-form.ts'

const TYPE = 'multipart/form-data; boundary=edge'
const formOf = (parts: readonly string[]) => Buffer.from(`${parts.map((part) => `--edge\r\n${part}\r\n`).join('')}--edge--\r\n`, 'latin1')
const field = (name: string, value = 'v') => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`
const file = (bytes: string) => `Content-Disposition: form-data; name="file"; filename="a \\" b.jpg"\r\nContent-Type: image/jpeg\r\n\r\n${bytes}`

test('reads what browsers send: fields and the bytes of a file', async () => {
  const form = new FormData()
  form.append('key', 'paper_1')
  form.append('sign', '签名')
  const bytes = Buffer.from(Array.from({ length: 5_000 }, (_, at) => at & 255))
  form.append('file', new Blob([bytes]), '照片".jpg')
  const sent = new Response(form)
  const read = await readUploadForm(Buffer.from(await sent.arrayBuffer()), sent.headers.get('content-type')!)
  expect([read?.fields, read?.file.equals(bytes)]).toEqual([{ key: 'paper_1', sign: '签名' }, true])
  expect((await readUploadForm(formOf([file('\r\n--edg\r\n--')]), 'multipart/form-data; boundary="edge"'))?.file.toString()).toBe('\r\n--edg\r\n--')
})

test.each([
  ['another type', Buffer.from('{}'), 'application/json'],
  ['no boundary', formOf([file('x')]), 'multipart/form-data'],
  ['another boundary', formOf([file('x')]), 'multipart/form-data; boundary=other'],
  ['no file', formOf([field('key')]), TYPE],
  ['two files', formOf([file('x'), file('y')]), TYPE],
  ['a field twice', formOf([field('key'), field('key'), file('x')]), TYPE],
  ['a field that is long', formOf([field('key', 'x'.repeat(2_000)), file('x')]), TYPE],
  ['a million parts', formOf([...Array.from({ length: 17 }, (_, at) => field(`a${at}`)), file('x')]), TYPE],
  ['a head that never ends', formOf([`Content-Disposition: form-data; name="a"; x="${'y'.repeat(5_000)}"\r\n\r\n`, file('x')]), TYPE],
  ['no name', formOf(['Content-Disposition: form-data\r\n\r\nx', file('x')]), TYPE],
  ['cut off', formOf([file('x')]).subarray(0, -9), TYPE],
  ['nothing', Buffer.alloc(0), TYPE],
])('takes no other form: %s', async (_, body, type) => {
  expect(await readUploadForm(body, type)).toBeUndefined()
})
