import { expect, test } from 'vitest'
import { describePortTaken } from './port-taken.ts'

test.each([
  [{ PORT: 3000 }, 3000, 'PORT=3001'],
  [{ PORT: 3000 }, 4000, 'CONSOLE_PORT=4001'],
  [{ PORT: 3000, CONSOLE_PORT: 9000 }, 9000, 'CONSOLE_PORT=9001'],
  [{ PORT: 3000 }, 5000, 'PROXY_PORT=5001'],
  [{ PORT: 3000, PROXY_PORT: 8080 }, 8080, 'PROXY_PORT=8081'],
  [{ PORT: 3000, MAILBOX_SMTP_PORT: 2525 }, 2525, 'MAILBOX_SMTP_PORT=2526'],
  [{ PORT: 64_000 }, 62_000, 'PROXY_PORT=62001'],
  [{ PORT: 65_000 }, 64_000, 'CONSOLE_PORT=64001'],
  [{ PORT: 3000, PROXY_PORT: 65_535 }, 65_535, 'PROXY_PORT=65534'],
])('a port that is taken is named with the setting that chose it: %o, %i', (config, port, advice) => {
  expect(describePortTaken(config, port)).toBe(`port ${port} is taken; choose another one with ${advice} npm start`)
})
