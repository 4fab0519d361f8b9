import { AccountMenu } from './account-menu.tsx'
import { ThemeMenu } from './theme-menu.tsx'

interface MenusProps {
  readonly signedIn: boolean
  readonly mobile: boolean
}

/** Apart from the shell, because menus are a quarter of its code and nobody opens one in the first second. */
export function Menus({ signedIn, mobile }: MenusProps) {
  return (
    <>
      {mobile ? null : <ThemeMenu />}
      {signedIn ? <AccountMenu /> : null}
    </>
  )
}
