import { bind } from '#platform/server/feature.ts'
import { accountContract } from '../contract.ts'
import { codeLogin } from './verbs/code-login.ts'
import { endSession } from './verbs/end-session.ts'
import { listSessions } from './verbs/list-sessions.ts'
import { logout } from './verbs/logout.ts'
import { passwordLogin } from './verbs/password-login.ts'
import { readInfo } from './verbs/read-info.ts'
import { register } from './verbs/register.ts'
import { resetPassword } from './verbs/reset-password.ts'
import { sendEmailCode } from './verbs/send-email-code.ts'

export const accountRoutes = bind(accountContract, {
  passwordLogin,
  codeLogin,
  register,
  sendEmailCode,
  resetPassword,
  logout,
  endSession,
  info: readInfo,
  sessions: listSessions,
  validateLogin: async (ctx) => ({ valid: ctx.userId !== '' }),
})
