import { bind } from '#platform/server/feature.ts'
import { accountContract } from '../contract.ts'
import { historyContract } from '../contract-history.ts'
import { payPasswordContract } from '../contract-pay-password.ts'
import { profileContract } from '../contract-profile.ts'
import { securityContract } from '../contract-security.ts'
import { closeCheck } from './verbs/close-check.ts'
import { codeLogin } from './verbs/code-login.ts'
import { deleteAccount } from './verbs/delete-account.ts'
import { endOtherSessions } from './verbs/end-other-sessions.ts'
import { endSession } from './verbs/end-session.ts'
import { exportData } from './verbs/export-data.ts'
import { googleLogin } from './verbs/google-login.ts'
import { googleStart } from './verbs/google-start.ts'
import { initPassword } from './verbs/init-password.ts'
import { isGradual } from './verbs/is-gradual.ts'
import { listSessions } from './verbs/list-sessions.ts'
import { logout } from './verbs/logout.ts'
import { modifyPayPassword } from './verbs/modify-pay-password.ts'
import { passwordLogin } from './verbs/password-login.ts'
import { preferences } from './verbs/preferences.ts'
import { readInfo } from './verbs/read-info.ts'
import { register } from './verbs/register.ts'
import { resetPassword } from './verbs/reset-password.ts'
import { resetPayPassword } from './verbs/reset-pay-password.ts'
import { securityHistory } from './verbs/security-history.ts'
import { sendEmailCode } from './verbs/send-email-code.ts'
import { sendMobileCode } from './verbs/send-mobile-code.ts'
import { sendNewMobileCode } from './verbs/send-new-mobile-code.ts'
import { sendOwnCode } from './verbs/send-own-code.ts'
import { setPayPassword } from './verbs/set-pay-password.ts'
import { signInOptions } from './verbs/sign-in-options.ts'
import { stepUp } from './verbs/step-up.ts'
import { takeInviteCode, updateInvitedCode } from './verbs/take-invite-code.ts'
import { updateEmail } from './verbs/update-email.ts'
import { updateInvoiceDetails } from './verbs/update-invoice-details.ts'
import { updateMailChoices } from './verbs/update-mail-choices.ts'
import { updateMobile } from './verbs/update-mobile.ts'
import { updatePassword } from './verbs/update-password.ts'
import { updateUserInfo } from './verbs/update-user-info.ts'
import { useTips } from './verbs/use-tips.ts'
import { verifyEmail } from './verbs/verify-email.ts'
import { verifyOldMobile } from './verbs/verify-old-mobile.ts'
import { verifyPayPassword } from './verbs/verify-pay-password.ts'

export const accountRoutes = [
  bind(accountContract, {
    signInOptions,
    passwordLogin,
    codeLogin,
    register,
    googleStart,
    googleLogin,
    sendEmailCode,
    sendLoginCode: sendMobileCode('login'),
    sendRegisterCode: sendMobileCode('register'),
    sendPasswordCode: sendMobileCode('updatePassword'),
    resetPassword,
    logout,
    info: readInfo,
    validateLogin: async (ctx) => ({ valid: ctx.userId !== '' }),
  }),
  bind(securityContract, {
    sendStepUpCode: (ctx, { by, captchaVerifyParam }) => sendOwnCode(ctx, { purpose: 'stepUp', by, captchaVerifyParam }),
    stepUp,
    initPassword,
    updatePassword,
    sendPayPasswordCode: (ctx, { x, captchaVerifyParam }) => sendOwnCode(ctx, { purpose: 'payPassword', by: x, captchaVerifyParam }),
    sendOwnCode: (ctx, { type, by, captchaVerifyParam }) => sendOwnCode(ctx, { purpose: type, by, captchaVerifyParam }),
    verifyEmail,
    updateEmail,
    sendOldMobileCode: (ctx, { by, captchaVerifyParam }) => sendOwnCode(ctx, { purpose: 'updateMobile', by, captchaVerifyParam }),
    verifyOldMobile,
    sendNewMobileCode,
    updateMobile,
    sessions: listSessions,
    endSession,
    endOtherSessions,
    exportData,
    closeCheck,
    deleteAccount,
  }),
  bind(historyContract, { securityHistory }),
  bind(profileContract, {
    updateUserInfo,
    preferences,
    updateInvoiceDetails,
    updateMailChoices,
    isGradual,
    useTips,
    inviteCode: takeInviteCode,
    updateInvitedCode,
  }),
  bind(payPasswordContract, { setPayPassword, verifyPayPassword, modifyPayPassword, resetPayPassword }),
]
