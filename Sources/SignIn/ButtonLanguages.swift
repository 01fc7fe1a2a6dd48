/// The button words of languages without word spaces or with non-Latin letters, and of Turkish.
///
/// ``ButtonWords`` has the others. Together they cover the ten most widely read languages (English, Chinese, Hindi, Spanish,
/// Arabic, French, Portuguese, Russian, Japanese and German), and five more.
enum ButtonLanguages {
    static let consents = WordList(
        words: """
            разрешить разрешаю разрешите принять принимаю согласен согласна согласиться продолжить подтвердить подтверждаю да далее ок
            одобрить авторизовать
            是 好 はい 예 네
            السماح سماح اسمح أسمح موافق أوافق موافقة قبول أقبل متابعة المتابعة استمرار تأكيد نعم التالي
            स्वीकार सहमत हाँ हां जारी आगे अगला पुष्टि
            izin kabul onayla onaylıyorum onaylamak evet devam ileri i̇leri i̇zin tamam yetkilendir
            """,
        parts: """
            同意 允许 允許 授权 授權 接受 继续 繼續 确认 確認 确定 確定 下一步 好的
            許可 承認 承諾 続行 続ける 続けて 次へ 進む
            동의 허용 승인 수락 계속 확인 다음
            """,
        phrases: ["अनुमति दें", "upgrade session", "update session"]
    )

    static let refusals = WordList(
        words: """
            отмена отменить отклонить отказать отказаться отказываюсь нет не запретить выйти выход назад забыли сбросить зарегистрироваться
            регистрация позже пропустить удалить
            否 아니요 아니오
            إلغاء الغاء رفض أرفض لا عدم غير خروج الخروج رجوع عودة نسيت تخطي لاحقا لاحقًا إنشاء
            रद्द अस्वीकार नहीं न मना वापस भूल लॉगआउट छोड़ें
            verme iptal i̇ptal reddet reddediyorum hayır vazgeç geri unuttum çıkış kapat kaydol atla sonra değil
            """,
        parts: """
            取消 拒绝 拒絕 不同意 不授权 不授權 不允许 不允許 不接受 退出 登出 注销 登出 返回 忘记 忘記 注册 註冊 跳过 跳過 稍后 稍後 不是
            キャンセル 拒否 いいえ しない しません 戻る ログアウト サインアウト 忘れ 新規登録 後で スキップ 中止
            취소 거부 거절 하지않 로그아웃 뒤로 잊으 가입 나중 건너뛰
            """,
        phrases: ["साइन आउट", "लॉग आउट", "동의하지 않음", "동의하지 않습니다", "동의 안 함", "허용하지 않음", "허용 안 함", "하지 않음"]
    )

    static let grants = WordList(
        words: """
            разрешить разрешаю принять принимаю согласен согласна согласиться одобрить авторизовать
            السماح سماح اسمح أسمح موافق أوافق موافقة قبول أقبل
            स्वीकार सहमत izin i̇zin kabul yetkilendir
            """,
        parts: "同意 允许 允許 授权 授權 接受 許可 承認 承諾 동의 허용 승인 수락",
        phrases: ["अनुमति दें"]
    )

    static let skipping = WordList(
        words: "позже пропустить تخطي لاحقا لاحقًا छोड़ें atla sonra",
        parts: "跳过 跳過 稍后 稍後 後で スキップ 나중 건너뛰",
        phrases: []
    )

    static let signIn = WordList(
        words: """
            войти вход далее продолжить подтвердить دخول الدخول التالي متابعة تحقق लॉगिन साइन अगला आगे जारी giriş devam ileri i̇leri doğrula
            """,
        parts: "登录 登錄 登入 下一步 继续 繼續 验证 驗證 ログイン サインイン 次へ 続行 続ける 로그인 다음 계속 확인",
        phrases: ["लॉग इन", "oturum aç"]
    )

    static let signOut = WordList(
        words: "выйти выход الخروج خروج लॉगआउट çıkış",
        parts: "退出 登出 注销 ログアウト サインアウト 로그아웃",
        phrases: ["साइन आउट", "लॉग आउट", "oturumu kapat"]
    )
}
