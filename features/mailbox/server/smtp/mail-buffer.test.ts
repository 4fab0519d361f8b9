import { expect, it } from 'vitest'
import { createMailBuffer } from './mail-buffer.ts'

const PIECE = 512
const bytes = (length: number) => Buffer.alloc(length, 'x')

it('a mail that lost a piece for lack of room stays lost and holds no room', async () => {
  const room = createMailBuffer({ all: 100_000, ofOne: 100_000 })
  const [large, mail, next] = [room.open('203.0.113.1'), room.open('203.0.113.2'), room.open('203.0.113.3')]
  large.add(bytes(80_000))
  for (const length of [10_000, 20_000]) mail.add(bytes(length))
  next.add(bytes(15_000))
  large.release()
  mail.add(bytes(10))
  expect([await mail.whole(), (await next.whole())?.length]).toEqual([undefined, 15_000])
})

it('a large mail is assembled one megabyte a turn', async () => {
  const room = createMailBuffer({ all: 100_000_000, ofOne: 100_000_000 })
  const mail = room.open('203.0.113.1')
  for (let n = 0; n < 160; n++) mail.add(bytes(65_536))
  let [turns, isOver] = [0, false]
  const count = (): void => void (isOver || (turns++, setImmediate(count)))
  setImmediate(count)
  const raw = await mail.whole()
  isOver = true
  expect([raw?.length, turns >= 10]).toEqual([10_485_760, true])
})

it('mails share the room, one address has a part of it, and released room is reused', async () => {
  const room = createMailBuffer({ all: 100_000, ofOne: 60_000 })
  const take = async (ip: string, length: number) => {
    const mail = room.open(ip)
    mail.add(bytes(length - PIECE))
    return { mail, isWhole: (await mail.whole()) !== undefined }
  }
  const first = await take('203.0.113.1', 50_000)
  const areWhole = [first.isWhole]
  for (const [ip, length] of [
    ['203.0.113.1', 10_001],
    ['203.0.113.2', 50_001],
    ['203.0.113.2', 50_000],
  ] as const)
    areWhole.push((await take(ip, length)).isWhole)
  expect(areWhole).toEqual([true, false, false, true])
  for (let n = 0; n < 2; n++) first.mail.release()
  expect([(await take('203.0.113.3', 50_001)).isWhole, (await take('203.0.113.1', 50_000)).isWhole]).toEqual([false, true])
})

it('a mail keeps its order, and single bytes are charged a minimum', async () => {
  const room = createMailBuffer({ all: 100 * (PIECE + 1), ofOne: 1_000_000 })
  const [small, other] = [room.open('203.0.113.1'), room.open('203.0.113.2')]
  for (let n = 0; n < 100; n++) small.add(Buffer.of(n))
  other.add(Buffer.of(1))
  expect([[...(await small.whole())!], await other.whole()]).toEqual([Array.from({ length: 100 }, (_, n) => n), undefined])
})
