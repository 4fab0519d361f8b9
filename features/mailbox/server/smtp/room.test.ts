import { expect, it } from 'vitest'
import { createRoom } from './room.ts'

const PIECE = 512
const bytes = (length: number) => Buffer.alloc(length, 'x')

it('a mail that lost a piece for lack of room is lost, whatever room there is later, and holds none', () => {
  const room = createRoom({ all: 100_000, ofOne: 100_000 })
  const [large, mail, next] = [room.open('203.0.113.1'), room.open('203.0.113.2'), room.open('203.0.113.3')]
  large.add(bytes(80_000))
  for (const length of [10_000, 20_000]) mail.add(bytes(length))
  next.add(bytes(15_000))
  large.release()
  mail.add(bytes(10))
  expect([mail.whole(), next.whole()?.length]).toEqual([undefined, 15_000])
})

it('all of them share it, one machine has a part, and what is released is there again', () => {
  const room = createRoom({ all: 100_000, ofOne: 60_000 })
  const take = (ip: string, length: number) => {
    const mail = room.open(ip)
    mail.add(bytes(length - PIECE))
    return { mail, isWhole: mail.whole() !== undefined }
  }
  const first = take('203.0.113.1', 50_000)
  expect([first, take('203.0.113.1', 10_001), take('203.0.113.2', 50_001), take('203.0.113.2', 50_000)].map(({ isWhole }) => isWhole)).toEqual([
    true,
    false,
    false,
    true,
  ])
  for (let n = 0; n < 2; n++) first.mail.release()
  expect([take('203.0.113.3', 50_001), take('203.0.113.1', 50_000)].map(({ isWhole }) => isWhole)).toEqual([false, true])
})

it('is kept in its order; single bytes cost more than they are', () => {
  const room = createRoom({ all: 100 * (PIECE + 1), ofOne: 1_000_000 })
  const [small, other] = [room.open('203.0.113.1'), room.open('203.0.113.2')]
  for (let n = 0; n < 100; n++) small.add(Buffer.of(n))
  other.add(Buffer.of(1))
  expect([[...small.whole()!], other.whole()]).toEqual([Array.from({ length: 100 }, (_, n) => n), undefined])
})
