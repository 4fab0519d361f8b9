import { AccountMenu } from './account-menu.tsx'
import { ThemeMenu } from './theme-menu.tsx'

interface MenusProps {
  readonly signedIn: boolean
  readonly mobile: boolean
}

/** Separate chunk, because menus are a quarter of the shell's code and none is opened in the first second. */
export function Menus({ signedIn, mobile }: MenusProps) {
  return (
    <>
      {mobile ? null : <ThemeMenu />}
      {signedIn ? <AccountMenu /> : null}
    </>
  )
}
