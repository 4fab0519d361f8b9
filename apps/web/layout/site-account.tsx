import { QueryProvider } from '#platform/web/calls/query.tsx'
import { AccountMenu } from './menus/account-menu.tsx'

/** Account menu on public pages; loaded for signed-in users only. */
export function SiteAccount() {
  return (
    <QueryProvider>
      <AccountMenu />
    </QueryProvider>
  )
}
