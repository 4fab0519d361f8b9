import { QueryProvider } from '#platform/web/calls/query.tsx'
import { AccountMenu } from './menus/account-menu.tsx'

/** The person's menu on public pages, which do without its kit until somebody is signed in. */
export function SiteAccount() {
  return (
    <QueryProvider>
      <AccountMenu />
    </QueryProvider>
  )
}
