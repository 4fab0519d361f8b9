import { expect, test } from 'vitest'
import { callLatest } from './same-call.ts'

/** A call that responds on demand and rejects when its signal is aborted. */
function line() {
  const sent: { answer: (value: string) => void; aborted: () => boolean }[] = []
  const go = (signal: AbortSignal) =>
    new Promise<string>((resolve, reject) => {
      sent.push({ answer: resolve, aborted: () => signal.aborted })
      signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
    })
  return { sent, go }
}

test('a read asked again cancels the older one, and both callers get the newer answer', async () => {
  const { sent, go } = line()
  const one = callLatest('GET /a', go)
  const two = callLatest('GET /a', go)
  expect(sent.map((call) => call.aborted())).toEqual([true, false])
  sent[1]!.answer('new')
  expect(await Promise.all([one, two])).toEqual(['new', 'new'])
})

test('a third call replaces the second for all callers', async () => {
  const { sent, go } = line()
  const all = [callLatest('GET /b', go), callLatest('GET /b', go), callLatest('GET /b', go)]
  sent[2]!.answer('third')
  expect(await Promise.all(all)).toEqual(['third', 'third', 'third'])
  expect(sent).toHaveLength(3)
})

test('a change is sent once, however often the button is pressed', async () => {
  const { sent, go } = line()
  const both = [callLatest('POST /c {}', go), callLatest('POST /c {}', go)]
  expect(sent).toHaveLength(1)
  sent[0]!.answer('done')
  expect(await Promise.all(both)).toEqual(['done', 'done'])
  const later = callLatest('POST /c {}', go)
  expect(sent).toHaveLength(2)
  sent[1]!.answer('again')
  expect(await later).toBe('again')
})

test('a call with another body is a call of its own', async () => {
  const { sent, go } = line()
  const both = [callLatest('GET /d?page=1', go), callLatest('GET /d?page=2', go)]
  sent[0]!.answer('1')
  sent[1]!.answer('2')
  expect(await Promise.all(both)).toEqual(['1', '2'])
})

test('a caller that aborts does not take the answer from the others', async () => {
  const { sent, go } = line()
  const leaving = new AbortController()
  const stays = callLatest('GET /e', go)
  const leaves = callLatest('GET /e', go, leaving.signal)
  leaving.abort()
  await expect(leaves).rejects.toThrow()
  await expect.poll(() => sent.length).toBe(3)
  sent[2]!.answer('kept')
  expect(await stays).toBe('kept')
})

test('many callers one after the other end in one answer, without chasing each other', async () => {
  const { sent, go } = line()
  const leaving = Array.from({ length: 6 }, () => new AbortController())
  const all: Promise<string>[] = []
  for (const { signal } of leaving) {
    all.push(callLatest('GET /g', go), callLatest('GET /g', go, signal))
    await Promise.resolve()
    await Promise.resolve()
  }
  const ended = Promise.allSettled(all)
  for (const one of leaving) one.abort()
  await new Promise((done) => setTimeout(done, 20))
  expect(sent.length).toBeLessThan(20)
  for (const one of sent) one.answer('last')
  const outcomes = await ended
  expect(outcomes.filter((one, at) => at % 2 === 0 && one.status === 'rejected')).toEqual([])
})

test('a refusal reaches every caller', async () => {
  let refuse = (_error: Error) => {}
  const go = () => new Promise<string>((_, reject) => (refuse = reject))
  const both = [callLatest('POST /f {}', go), callLatest('POST /f {}', go)]
  refuse(new Error('no'))
  const outcomes = await Promise.allSettled(both)
  expect(outcomes.map((one) => one.status)).toEqual(['rejected', 'rejected'])
})
