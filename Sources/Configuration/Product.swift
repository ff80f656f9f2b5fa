/// What this product calls itself.
public enum Product {
    /// Its version, by Semantic Versioning 2.0.0.
    public static let version = "0.1.0"
}
