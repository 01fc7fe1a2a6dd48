import ArgumentParser

@main
struct OIDCPreflight: AsyncParsableCommand {}
