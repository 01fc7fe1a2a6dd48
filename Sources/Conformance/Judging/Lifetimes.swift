/// Data with an expiry date: certificates of hosts, and the published keys with theirs.
package struct Lifetimes: Sendable, Hashable {
    /// A server's own certificate.
    package struct Certificate: Sendable, Hashable {
        /// `idp.example.com:443`.
        package var host: String
        /// Seconds since 1970.
        package var notBefore: Double
        /// Seconds since 1970.
        package var notAfter: Double

        package init(host: String, notBefore: Double, notAfter: Double) {
            self.host = host
            self.notBefore = notBefore
            self.notAfter = notAfter
        }
    }

    /// A published key.
    ///
    /// A JWK states no age of its own: what is known is its certificate's, where it has one.
    package struct Key: Sendable, Hashable {
        /// Its place in the key set, from 0.
        package var index: Int
        package var kid: String?
        package var type: String?
        package var algorithm: String?
        package var use: String?
        /// When its certificate begins to be valid, seconds since 1970; `nil` where there is none that can be read.
        package var notBefore: Double?
        /// When it ends.
        package var notAfter: Double?

        package init(
            index: Int,
            kid: String?,
            type: String?,
            algorithm: String?,
            use: String?,
            notBefore: Double? = nil,
            notAfter: Double? = nil
        ) {
            self.index = index
            self.kid = kid
            self.type = type
            self.algorithm = algorithm
            self.use = use
            self.notBefore = notBefore
            self.notAfter = notAfter
        }
    }

    package var certificates: [Certificate] = []
    package var keys: [Key] = []

    package init() {}
}
