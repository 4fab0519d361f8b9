import { LoginPage } from '#features/account/web/index.tsx'

export function EmbedLogin() {
  return (
    <main id="main" tabIndex={-1}>
      <LoginPage />
    </main>
  )
}
