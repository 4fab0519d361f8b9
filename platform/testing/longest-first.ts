import { BaseSequencer } from 'vitest/node'
import type { TestSpecification } from 'vitest/node'

/** The slowest files of each project, slowest first. Starting one of them last would leave the other worker idle. */
export const LONGEST_FILES = [
  'features/gateway/server/hot/sockets/session/echo.test.ts',
  'features/payments/server/vendors/stripe/channel.test.ts',
  'features/payments/server/vendors/nihaopay/channel.test.ts',
  'features/payments/server/vendors/alipay/channel.test.ts',
  'scripts/test/run-part.test.ts',
  'features/payments/server/vendors/wechat-pay/channel.test.ts',
  'features/gateway/server/hot/answer/leave.test.ts',
  'features/identity/server/ocr/papers.test.ts',
  'scripts/new/new.test.ts',
  'apps/server/matrix/operators.db.test.ts',
  'apps/server/matrix/matrix.db.test.ts',
  'apps/server/operate/killed.db.test.ts',
  'features/payments/server/withdrawals/withdrawals.db.test.ts',
  'features/payments/server/orders/orders.db.test.ts',
  'features/browser/server/browser.db.test.ts',
  'apps/server/secrets.db.test.ts',
  'features/account/server/codes/codes-everywhere.db.test.ts',
  'features/wallet/server/ledger/ledger-races.db.test.ts',
  'e2e/journeys/opening.test.ts',
  'e2e/robots/robots.test.ts',
  'e2e/journeys/services/flex-ends.test.ts',
  'e2e/journeys/account.test.ts',
  'e2e/journeys/operators/desk-acts.test.ts',
  'e2e/journeys/services/registration.test.ts',
  'e2e/pages/looks.test.ts',
  'e2e/journeys/operators/screens.test.ts',
  'e2e/journeys/orders-paying.test.ts',
  'e2e/journeys/auto-recharge.test.ts',
  'e2e/journeys/services/remote.test.ts',
  'e2e/journeys/sign-in/google.test.ts',
  'e2e/journeys/services/browser.test.ts',
  'e2e/pages/cards.test.ts',
  'e2e/journeys/top-up.test.ts',
  'e2e/pages/shell.test.ts',
  'e2e/journeys/invitations.test.ts',
  'e2e/pages/states.test.ts',
  'e2e/journeys/sign-in/ways.test.ts',
  'e2e/journeys/services/tool-ends.test.ts',
  'e2e/nodes/attack.test.ts',
  'e2e/nodes/attack-platform.test.ts',
  'e2e/crash/auto-points.test.ts',
  'e2e/crash/card-life.test.ts',
  'e2e/crash/gateway-points.test.ts',
  'e2e/nodes/three-nodes.test.ts',
  'e2e/crash/tool-points.test.ts',
  'e2e/nodes/limits.test.ts',
  'e2e/crash/withdraw-crash.test.ts',
  'e2e/sdk/cuts.test.ts',
  'e2e/crash/crash-points.test.ts',
  'e2e/crash/refund-points.test.ts',
  'e2e/crash/service-points.test.ts',
]

/** Vitest has durations from the previous run; a fresh clone has none. */
// oxlint-disable-next-line house/no-class -- Vitest takes a sequencer as a class
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONGEST_FILES.findIndex((name) => moduleId.endsWith(`/${name}`))
      return at < 0 ? LONGEST_FILES.length : at
    }
    return sorted.toSorted((a, b) => place(a) - place(b))
  }
}
